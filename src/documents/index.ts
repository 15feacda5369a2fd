export type { Document } from './document.ts'
export { fieldName } from './field-name.ts'
export { parseYaml } from './parse-yaml.ts'
