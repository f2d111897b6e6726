export { fileSource, uploadStateFile } from './file-source.ts'
export { fileTarget } from './file-target.ts'
export { folderTarget } from './folder-target.ts'
