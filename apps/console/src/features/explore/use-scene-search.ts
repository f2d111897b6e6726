import { useCallback, useRef, useState } from 'react'
import { usePlatform } from '../../api/platform.tsx'
import { toOlderInput, type SearchInput } from './older-scenes.ts'
import { hostOf, sceneKey, type Scene } from './scenes.ts'

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
  /** Hosts that have more scenes than were requested. */
  readonly limited: readonly SearchedHost[]
}

export interface SceneSearch extends SearchResult {
  /** Starts a search; a running one is cancelled. */
  readonly start: (input: SearchInput, hosts: readonly SearchedHost[]) => void
  /** Adds older scenes of the hosts that have more of them. */
  readonly more: () => void
}

/** Scenes are shown as they arrive, a few times a second. */
const paint_every_ms = 100
const nothing: SearchResult = { state: 'idle', scenes: [], error: null, failures: [], limited: [] }

interface HostRequest {
  readonly host: SearchedHost
  readonly input: SearchInput
}

interface SceneRequests {
  readonly result: SearchResult
  /** Adds the results to those of before. */
  readonly run: (requests: readonly HostRequest[], before: SearchResult) => void
}

/** Requests of several hosts at once: each has a stream of its own, so that one that fails does not end the others. */
function useSceneRequests(): SceneRequests {
  const { client } = usePlatform()
  const [result, setResult] = useState(nothing)
  const running = useRef<AbortController | null>(null)

  const run = useCallback(
    (requests: readonly HostRequest[], before: SearchResult) => {
      running.current?.abort()
      const controller = new AbortController()
      running.current = controller
      const { signal } = controller
      const scenes = new Map(before.scenes.map((scene) => [sceneKey(scene), scene]))
      const limited: SearchedHost[] = []
      let painted_ms = 0
      const show = (part: Partial<SearchResult>): void => {
        if (!signal.aborted)
          setResult({ ...nothing, scenes: [...scenes.values()], failures: before.failures, limited, ...part })
      }
      const read = async ({ host, input }: HostRequest): Promise<void> => {
        let count = 0
        const hostInput = host.id === null ? input : { ...input, host_name: host.id }
        for await (const scene of client.lines<Scene>('catalog.search_stream', hostInput, { signal })) {
          scenes.set(sceneKey(scene), scene)
          if (++count === input.limit) limited.push(host)
          // The first one at once.
          if (performance.now() - painted_ms < paint_every_ms && scenes.size > 1) continue
          painted_ms = performance.now()
          show({ state: 'running' })
        }
      }
      show({ state: 'running' })
      void Promise.allSettled(requests.map(read)).then((outcomes) => {
        const failed = outcomes.flatMap((outcome, at) =>
          outcome.status === 'rejected' ? [{ title: requests[at]!.host.title, error: outcome.reason as unknown }] : [],
        )
        const hasFailed = failed.length > 0 && failed.length === requests.length && scenes.size === 0
        const failures = [...before.failures, ...failed]
        show(hasFailed ? { state: 'failed', error: failed[0]!.error } : { state: 'done', failures })
      })
    },
    [client],
  )
  return { result, run }
}

/** A search of several hosts, which can be continued. */
export function useSceneSearch(): SceneSearch {
  const { result, run } = useSceneRequests()
  const started = useRef<SearchInput | null>(null)
  const start = useCallback(
    (input: SearchInput, hosts: readonly SearchedHost[]) => {
      started.current = input
      run(
        hosts.map((host) => ({ host, input })),
        nothing,
      )
    },
    [run],
  )
  const more = useCallback(() => {
    const input = started.current
    if (!input) return
    const requests = result.limited.map((host) => ({
      host,
      input: toOlderInput(
        input,
        result.scenes.filter((scene) => host.id === null || hostOf(scene) === host.id),
      ),
    }))
    run(requests, result)
  }, [run, result])
  return { ...result, start, more }
}
