import { useQueryClient } from '@tanstack/react-query'
import { createContext, use, useCallback, useMemo, useState, type ReactNode } from 'react'
import { usePlatform } from '../api/platform.tsx'
import { uploadFile, type UploadStep } from './upload-file.ts'

export interface RunningUpload {
  readonly id: string
  readonly name: string
  readonly state: UploadStep | { readonly step: 'failed'; readonly error: unknown }
  readonly retry: () => void
}

interface Uploads {
  readonly running: readonly RunningUpload[]
  readonly start: (project_id: string, files: readonly File[]) => void
}

const UploadsContext = createContext<Uploads | null>(null)

/** Uploads go on while other places are open. */
export function UploadsProvider({ children }: { children: ReactNode }) {
  const { client } = usePlatform()
  const queries = useQueryClient()
  const [running, setRunning] = useState<readonly RunningUpload[]>([])

  const run = useCallback(
    (project_id: string, file: File, id: string) => {
      const show = (state: RunningUpload['state']): void =>
        setRunning((before) => [
          ...before.filter((upload) => upload.id !== id),
          { id, name: file.name, state, retry: () => run(project_id, file, id) },
        ])
      uploadFile(client, project_id, file, show).then(
        async () => {
          await queries.invalidateQueries({ queryKey: ['uploads.list'] })
          setRunning((before) => before.filter((upload) => upload.id !== id))
        },
        (error: unknown) => show({ step: 'failed', error }),
      )
    },
    [client, queries],
  )
  const uploads = useMemo(
    () => ({
      running,
      start: (project_id: string, files: readonly File[]) => {
        for (const [index, file] of files.entries()) run(project_id, file, `${performance.now()} ${index}`)
      },
    }),
    [running, run],
  )
  return <UploadsContext value={uploads}>{children}</UploadsContext>
}

export function useUploads(): Uploads {
  const uploads = use(UploadsContext)
  if (!uploads) throw new Error('uploads need their provider')
  return uploads
}
