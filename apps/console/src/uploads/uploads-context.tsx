import { useQueryClient } from '@tanstack/react-query'
import { createContext, use, useEffect, useState, useSyncExternalStore, type ReactNode } from 'react'
import { usePlatform } from '../api/platform.tsx'
import { waitForConnection } from './browser-connection.ts'
import { sendBytes } from './send-bytes.ts'
import { createUploadQueue, type RunningUpload, type UploadQueue } from './upload-queue.ts'

const UploadsContext = createContext<UploadQueue | null>(null)

const affected = ['uploads.list', 'uploads.get', 'stac.search', 'items.list', 'collections.list'] as const

/** Uploads go on while other places are open. */
export function UploadsProvider({ children }: { children: ReactNode }) {
  const { client } = usePlatform()
  const queries = useQueryClient()
  const [queue] = useState(() =>
    createUploadQueue({
      client,
      wait: waitForConnection,
      send: sendBytes,
      onEnd: () => affected.forEach((operation) => void queries.invalidateQueries({ queryKey: [operation] })),
    }),
  )
  const isActive = useSyncExternalStore(queue.subscribe, queue.list).some(({ state }) => state.step !== 'failed')
  useEffect(() => {
    if (!isActive) return
    // The browser asks before a page with running uploads is closed.
    const warn = (event: BeforeUnloadEvent): void => event.preventDefault()
    addEventListener('beforeunload', warn)
    return () => removeEventListener('beforeunload', warn)
  }, [isActive])
  return <UploadsContext value={queue}>{children}</UploadsContext>
}

/** The files that this page uploads, and the queue's functions. */
export function useUploads(): UploadQueue & { readonly running: readonly RunningUpload[] } {
  const queue = use(UploadsContext)
  if (!queue) throw new Error('uploads need their provider')
  return { ...queue, running: useSyncExternalStore(queue.subscribe, queue.list) }
}
