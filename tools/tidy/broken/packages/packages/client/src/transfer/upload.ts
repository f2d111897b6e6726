export { readFile } from '../node/file-source.ts'
