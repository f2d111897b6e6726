import { validationProblem } from '../../engine/problem.ts'

/** The prefix of all objects of an open session. */
export const getUploadBlobPrefix = (organization: string, upload: string): string =>
  `organizations/${organization}/uploads/${upload}`

const folderPattern = /^organizations\/([0-9a-f-]{36})\/uploads\/([0-9a-f-]{36})$/

/** The session of an upload prefix; null for any other path. */
export function parseUploadBlobPrefix(path: string): { organization: string; upload: string } | null {
  const [, organization, upload] = folderPattern.exec(path) ?? []
  return organization && upload ? { organization, upload } : null
}

const max_slug_length = 80

/** The object path of a file: the readable part of its name after an id that the platform chose. */
export function buildUploadObjectPath(organization: string, upload: string, file: string, file_name: string): string {
  const slug = file_name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9.]+/g, '-')
    .replaceAll(/\.{2,}/g, '.')
    .slice(-max_slug_length)
    .replaceAll(/^[-.]+|(?<![-.])[-.]+$/g, '')
  return `${getUploadBlobPrefix(organization, upload)}/${file}/${slug || 'file'}`
}

/** Throws `validation` for a file name with control characters, bidirectional marks, or only whitespace. */
export function validateFileName(file_name: string): void {
  const isValid =
    file_name.isWellFormed() && file_name.trim() !== '' && !/[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]/u.test(file_name)
  if (!isValid)
    throw validationProblem([{ path: 'file_name', message: 'has characters that are not allowed in a file name' }])
}

/** The file name without directories and extension. */
export const getFileStem = (file_name: string): string =>
  file_name
    .split(/[/\\]/)
    .at(-1)!
    .replace(/(?<=.)\.[^.]{1,8}$/, '')
