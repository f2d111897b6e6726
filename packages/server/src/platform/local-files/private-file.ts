import { link, open, rename, rm } from 'node:fs/promises'
import { randomText } from '../ids.ts'

export const hasErrorCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code

/** Writes a draft that only its owner can read, has it moved into place, and removes the rest of it. */
async function writeDraft(path: string, text: string, moveIntoPlace: (draft: string) => Promise<void>): Promise<void> {
  const draft = `${path}.${process.pid}.${randomText(8)}`
  const file = await open(draft, 'wx', 0o600)
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
  try {
    await moveIntoPlace(draft)
  } finally {
    await rm(draft, { force: true })
  }
}

/** Replaces a file by one that only its owner can read; nobody reads half of it. */
export const replacePrivateFile = (path: string, text: string): Promise<void> =>
  writeDraft(path, text, (draft) => rename(draft, path))

/** The same, unless there is a file: that of another process, which was faster, stays. */
export const createPrivateFile = (path: string, text: string): Promise<void> =>
  writeDraft(path, text, (draft) =>
    link(draft, path).catch((error: unknown) => {
      if (!hasErrorCode(error, 'EEXIST')) throw error
    }),
  )
