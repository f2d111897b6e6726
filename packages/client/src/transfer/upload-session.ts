import type { Client } from '../client.ts'
import type { InputOf, Upload } from '../operations.ts'
import { ApiProblem } from '../problem.ts'

/** Where the items of a file are created, or the item that it is attached to. */
export type UploadPlace = Pick<
  InputOf<'uploads.initiate'>,
  'project_id' | 'target_collection_id' | 'target_item_id' | 'asset_key' | 'is_categorical'
>

export interface SessionRequest {
  readonly client: Client
  readonly target: UploadPlace
  readonly file: { readonly name: string; readonly size: number }
  readonly signal: AbortSignal
  /** Sessions that other files use. */
  readonly isTaken: (upload_id: string) => boolean
  readonly transfer_method: 'browser' | 'cli'
}

const page_size = 200
const openStates = ['uploading', 'initiated', 'uploaded'] as const
const isOpen = ({ status }: Pick<Upload, 'status'>): boolean => openStates.some((state) => state === status)

const isForFile = (upload: Upload, { file, target }: SessionRequest): boolean =>
  upload.total_bytes === file.size &&
  upload.project_id === target.project_id &&
  upload.target_collection_id === (target.target_collection_id ?? null) &&
  upload.target_item_id === (target.target_item_id ?? null) &&
  upload.asset_key === (target.asset_key ?? null) &&
  upload.is_categorical === (target.is_categorical ?? false)

const hasFile = ({ files }: Upload, name: string): boolean => files[0]?.file_name === name

/** An open session of this person for a file of the same name and size, for the same place; null without one. */
export async function findOpenSession(request: SessionRequest): Promise<Upload | null> {
  const { client, target, file, signal, isTaken } = request
  const { user } = await client.call('users.me', {}, { signal })
  const isCandidate = (upload: Upload): boolean =>
    isForFile(upload, request) && upload.created_by === user?.id && !isTaken(upload.id)
  for (const status of openStates) {
    const input: InputOf<'uploads.list'> = { project_id: target.project_id, status, limit: page_size }
    const { uploads } = await client.call('uploads.list', input, { signal })
    for (const { id } of uploads.filter(isCandidate)) {
      const { upload } = await client.call('uploads.get', { upload_id: id }, { signal })
      if (isOpen(upload) && hasFile(upload, file.name)) return upload
    }
  }
  return null
}

/** The session that an earlier attempt has remembered, if it is for the same file; it may have ended. Null otherwise. */
export async function readRememberedSession(request: SessionRequest, upload_id: string): Promise<Upload | null> {
  const { client, file, signal } = request
  try {
    const { upload } = await client.call('uploads.get', { upload_id }, { signal })
    const isSame = isForFile(upload, request) && (upload.files.length === 0 || hasFile(upload, file.name))
    return isSame ? upload : null
  } catch (error) {
    if (error instanceof ApiProblem && error.status < 500 && error.status !== 429) return null
    throw error
  }
}

/** Opens a session, which reserves storage for the file. */
export const openSession = ({ client, target, file, signal, transfer_method }: SessionRequest): Promise<Upload> =>
  client.call('uploads.initiate', { ...target, transfer_method, file_count: 1, total_bytes: file.size }, { signal })

/** Finds the stored part of a file. */
export const findStoredFile = ({ files }: Upload, name: string): Upload['files'][number] | undefined =>
  files.find(({ file_name }) => file_name === name)

const isProblem = (error: unknown, ...names: readonly string[]): error is ApiProblem =>
  error instanceof ApiProblem && names.includes(error.problem)

/** True if the received bytes are not those of the file: the session was begun with another one of its name and size. */
export const isOtherContent = (error: unknown): boolean =>
  isProblem(error, 'validation') &&
  Array.isArray(error.document['errors']) &&
  (error.document['errors'] as readonly { readonly path?: string }[]).some(({ path }) => path === 'files.0.sha256')

/** True if a session ended while the file was sent. */
export const isEndedSession = (error: unknown): boolean => isProblem(error, 'invalid-state', 'gone-expired')

/** True if the session has, or had, the same bytes and needs nothing more. */
export const isFinished = (session: Upload, name: string, sha256: string): boolean =>
  !isOpen(session) && findStoredFile(session, name)?.sha256 === sha256

/** True if the session ended, with whatever result. */
export const hasEnded = (session: Upload): boolean => !isOpen(session)
