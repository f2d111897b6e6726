import { useCallback, useRef, useState } from 'react'
import { usePlatform } from '../../api/platform.tsx'
import type { Scene } from './scenes.ts'

export type SearchState = 'idle' | 'running' | 'done' | 'failed'

/** A catalogue; an id of null means all of them in one stream. */
export interface SearchedHost {
  readonly id: string | null
  readonly title: string
}

/** A host that did not answer, or not to the end. */
export interface HostFailure {
  readonly title: string
  readonly error: unknown
}

export interface SearchResult {
  readonly state: SearchState
  readonly scenes: readonly Scene[]
  /** Why nothing was found at all: every host has failed. */
  readonly error: unknown
  /** Hosts that failed while others answered. */
  readonly failures: readonly HostFailure[]
  /** A host has more scenes than were asked for. */
  readonly isLimited: boolean
}

export interface SearchInput {
  readonly limit: number
  readonly [name: string]: unknown
}

export interface SceneSearch extends SearchResult {
  /** Starts a search; a running one is given up. */
  readonly start: (input: SearchInput, hosts: readonly SearchedHost[]) => void
}

/** Scenes are shown as they arrive, a few times a second. */
const paint_every_ms = 100
const nothing: SearchResult = { state: 'idle', scenes: [], error: null, failures: [], isLimited: false }

/** A search of several hosts at once: each has a stream of its own, so that one that fails does not end the others. */
export function useSceneSearch(): SceneSearch {
  const { client } = usePlatform()
  const [result, setResult] = useState(nothing)
  const running = useRef<AbortController | null>(null)

  const start = useCallback(
    (input: SearchInput, hosts: readonly SearchedHost[]) => {
      running.current?.abort()
      const controller = new AbortController()
      running.current = controller
      const { signal } = controller
      const scenes: Scene[] = []
      let isLimited = false
      let painted_ms = 0
      const show = (part: Partial<SearchResult>): void => {
        if (!signal.aborted) setResult({ ...nothing, scenes: [...scenes], isLimited, ...part })
      }
      const read = async ({ id }: SearchedHost): Promise<void> => {
        let count = 0
        const hostInput = id === null ? input : { ...input, host_name: id }
        for await (const scene of client.lines<Scene>('catalog.search_stream', hostInput, { signal })) {
          scenes.push(scene)
          isLimited ||= ++count >= input.limit
          // The first one at once.
          if (performance.now() - painted_ms < paint_every_ms && scenes.length > 1) continue
          painted_ms = performance.now()
          show({ state: 'running' })
        }
      }
      show({ state: 'running' })
      void Promise.allSettled(hosts.map(read)).then((outcomes) => {
        const failures = outcomes.flatMap((outcome, at) =>
          outcome.status === 'rejected' ? [{ title: hosts[at]!.title, error: outcome.reason as unknown }] : [],
        )
        const hasFailed = failures.length > 0 && failures.length === hosts.length && scenes.length === 0
        show(hasFailed ? { state: 'failed', error: failures[0]!.error } : { state: 'done', failures })
      })
    },
    [client],
  )
  return { ...result, start }
}
