export type { Document } from './document.ts'
export { fieldName } from './document.ts'
export { parseYaml } from './parse-yaml.ts'
