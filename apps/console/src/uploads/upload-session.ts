import { isProblem } from '../api/problem.ts'
import type { Client } from '@swath/client'
import type { InputOf, OutputOf } from '@swath/client/operations.ts'

export type SessionState = OutputOf<'uploads.get'>['upload']

/** Target of the items of a file. */
export interface UploadDestination {
  readonly project_id: string
  readonly collection_id: string | null
  /** The raster has classes, which must not be averaged. */
  readonly is_categorical: boolean
}

export interface SessionRequest {
  readonly client: Client
  readonly target: UploadDestination
  readonly file: Pick<File, 'name' | 'size'>
  readonly signal: AbortSignal
  /** Sessions that other files of this page use. */
  readonly isTaken: (upload_id: string) => boolean
}

const page_size = 200
const openStates = ['uploading', 'initiated', 'uploaded'] as const
const isOpen = ({ status }: Pick<SessionState, 'status'>): boolean => openStates.some((state) => state === status)

/** An open session of this person for a file of the same name and size, for the same place; null without one. */
export async function findOpenSession(request: SessionRequest): Promise<SessionState | null> {
  const { client, target, file, signal, isTaken } = request
  const { user } = await client.call('users.me', {}, { signal })
  const isCandidate = (upload: SessionState): boolean =>
    upload.total_bytes === file.size &&
    upload.created_by === user?.id &&
    upload.target_collection_id === target.collection_id &&
    upload.target_item_id === null &&
    upload.is_categorical === target.is_categorical &&
    !isTaken(upload.id)
  for (const status of openStates) {
    const input: InputOf<'uploads.list'> = { project_id: target.project_id, status, limit: page_size }
    const { uploads } = await client.call('uploads.list', input, { signal })
    for (const { id } of uploads.filter(isCandidate)) {
      const { upload } = await client.call('uploads.get', { upload_id: id }, { signal })
      if (isOpen(upload) && upload.files[0]?.file_name === file.name) return upload
    }
  }
  return null
}

/** Opens a session, which reserves storage for the file. */
export const openSession = ({ client, target, file, signal }: SessionRequest): Promise<SessionState> =>
  client.call(
    'uploads.initiate',
    {
      project_id: target.project_id,
      target_collection_id: target.collection_id,
      is_categorical: target.is_categorical,
      transfer_method: 'browser',
      file_count: 1,
      total_bytes: file.size,
    },
    { signal },
  )

/** Finds the stored part of a file. */
export const findStoredFile = ({ files }: SessionState, name: string): SessionState['files'][number] | undefined =>
  files.find(({ file_name }) => file_name === name)

/** True if the received bytes are not those of the file: the session was begun with another one of its name and size. */
export const isOtherContent = (error: unknown): boolean =>
  isProblem(error, 'validation') &&
  Array.isArray(error.document['errors']) &&
  (error.document['errors'] as readonly { readonly path?: string }[]).some(({ path }) => path === 'files.0.sha256')

/** True if a session ended while this page sent its file. */
export const isEndedSession = (error: unknown): boolean => isProblem(error, 'invalid-state', 'gone-expired')

/** True if the session has, or had, the same bytes and needs nothing more. */
export const isFinished = (session: SessionState, name: string, sha256: string): boolean =>
  !isOpen(session) && findStoredFile(session, name)?.sha256 === sha256
