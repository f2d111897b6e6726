/** The code that the first upload loads. */
export { uploadFile } from '@swath/client/transfer/upload-file.ts'
export { blobSource } from '@swath/client/transfer/upload-source.ts'
