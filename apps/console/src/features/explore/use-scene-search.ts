import { useCallback, useRef, useState } from 'react'
import { usePlatform } from '../../api/platform.tsx'
import type { Scene } from './scenes.ts'

export type SearchState = 'idle' | 'running' | 'done' | 'failed'

export interface SceneSearch {
  readonly state: SearchState
  readonly scenes: readonly Scene[]
  readonly error: unknown
  /** Starts a search; a running one is given up. */
  readonly start: (input: Readonly<Record<string, unknown>>) => void
}

/** Scenes are shown as they arrive, a few times a second. */
const paint_every_ms = 100

export function useSceneSearch(): SceneSearch {
  const { client } = usePlatform()
  const [result, setResult] = useState<Omit<SceneSearch, 'start'>>({ state: 'idle', scenes: [], error: null })
  const running = useRef<AbortController | null>(null)

  const start = useCallback(
    (input: Readonly<Record<string, unknown>>) => {
      running.current?.abort()
      const controller = new AbortController()
      running.current = controller
      const run = async (): Promise<void> => {
        const scenes: Scene[] = []
        let painted_ms = 0
        setResult({ state: 'running', scenes, error: null })
        const options = { signal: controller.signal }
        for await (const scene of client.lines<Scene>('catalog.search_stream', input, options)) {
          scenes.push(scene)
          // The first one at once.
          if (performance.now() - painted_ms < paint_every_ms && scenes.length > 1) continue
          painted_ms = performance.now()
          setResult({ state: 'running', scenes: [...scenes], error: null })
        }
        setResult({ state: 'done', scenes: [...scenes], error: null })
      }
      run().catch((error: unknown) => {
        if (!controller.signal.aborted) setResult({ state: 'failed', scenes: [], error })
      })
    },
    [client],
  )
  return { ...result, start }
}
