import { validationProblem } from '../../engine/problem.ts'

/** Everything that a session holds while it is open lies here. */
export const folderOfUpload = (organization: string, upload: string): string =>
  `organizations/${organization}/uploads/${upload}`

const folder = /^organizations\/([0-9a-f-]{36})\/uploads\/([0-9a-f-]{36})$/

/** Whose folder of a session it is; null for any other folder. */
export function readFolder(path: string): { organization: string; upload: string } | null {
  const [, organization, upload] = folder.exec(path) ?? []
  return organization && upload ? { organization, upload } : null
}

const slug_length = 80

/** A name that its sender chose, as a path in storage may have it: what is readable of it, after an id that is ours. */
export function objectPathOf(organization: string, upload: string, file: string, file_name: string): string {
  const slug = file_name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9.]+/g, '-')
    .replaceAll(/\.{2,}/g, '.')
    .slice(-slug_length)
    .replaceAll(/^[-.]+|(?<![-.])[-.]+$/g, '')
  return `${folderOfUpload(organization, upload)}/${file}/${slug || 'file'}`
}

/** Where the bytes of what a file became lie. */
export const folderOfFile = (organization: string, file: string): string =>
  `organizations/${organization}/items/${file}`

/** Refuses a name that nobody could read: with controls, marks that turn the writing around, or nothing but blanks. */
export function checkFileName(file_name: string): void {
  const plain =
    file_name.isWellFormed() && file_name.trim() !== '' && !/[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]/u.test(file_name)
  if (!plain) throw validationProblem([{ path: 'file_name', message: 'has characters that a file name cannot have' }])
}

/** What a file is called without its folders and its ending. */
export const stemOf = (file_name: string): string =>
  file_name
    .split(/[/\\]/)
    .at(-1)!
    .replace(/(?<=.)\.[^.]{1,8}$/, '')
