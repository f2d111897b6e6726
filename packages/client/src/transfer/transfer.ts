export { downloadAsset, toRemoteFile } from './download-asset.ts'
export { downloadFile, type Download, type DownloadOptions, type DownloadProgress } from './download-file.ts'
export {
  downloadItems,
  FolderDownloadError,
  type DownloadedFile,
  type FolderDownloadOptions,
  type FolderProgress,
  type NamedItem,
} from './download-items.ts'
export { downloadCollection, downloadOrder, downloadProject } from './download-selections.ts'
export {
  fileHandleTarget,
  streamTarget,
  type DownloadTarget,
  type FileDescription,
  type OpenDownload,
} from './download-target.ts'
export { ChecksumError, RemoteChangedError, TransferError, UnreadableFileError } from './errors.ts'
export { directoryHandleTarget, type FilePath, type FolderTarget, type PresentFile } from './folder-target.ts'
export type { RemoteFile } from './remote-reader.ts'
export { uploadFile, type UploadOptions, type UploadProgress } from './upload-file.ts'
export type { UploadPlace } from './upload-session.ts'
export { blobSource, bytesSource, type UploadSource, type UploadStateStore } from './upload-source.ts'
