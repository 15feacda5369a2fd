import { isPlainObject } from '../../core/index.ts'
import { type Document, fieldName } from '../../documents/index.ts'
import { type AgentProblem, agentProblem } from '../agent-problem.ts'

// They do nothing here. But what is kept is handed on, and not everybody reads objects as carefully.
const UNSAFE = ['__proto__', 'constructor', 'prototype']

/** Refuses keys, at any depth, that mean something to JavaScript itself. */
export function refuseUnsafeKeys(document: Document, problems: AgentProblem[]): void {
  const visit = (value: unknown, field: string): void => {
    if (Array.isArray(value)) value.forEach((item, index) => void visit(item, fieldName(field, index)))
    if (!isPlainObject(value)) return
    for (const key of Object.keys(value)) {
      const name = fieldName(field, key)
      if (UNSAFE.includes(key)) {
        const message = `${key} is no name for a field. Give it another.`
        problems.push(agentProblem(document.file, { line: document.lineOf(name), field: name }, message))
      }
      visit(value[key], name)
    }
  }
  visit(document.value, '')
}
