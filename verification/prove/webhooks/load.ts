import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from '@swath/client/client.ts'
import { ApiProblem } from '@swath/client/problem.ts'
import type { Endpoints } from './endpoints.ts'

/** A project whose events one endpoint receives. */
export interface SubscribedProject {
  readonly project_id: string
  readonly collection_id: string
  readonly subscription_id: string
}

/** Creates a project and a collection for each endpoint, and a subscription to its updates. */
export async function createSubscribedProjects(client: Client, endpoints: Endpoints): Promise<SubscribedProject[]> {
  const projects: SubscribedProject[] = []
  for (const endpoint of endpoints.behaviours.keys()) {
    const { id: project_id } = await client.call<{ id: string }>('projects.create', { name: `Endpoint ${endpoint}` })
    const collection = { project_id, name: `Endpoint ${endpoint}` }
    const { id: collection_id } = await client.call<{ id: string }>('collections.create', collection)
    const { id: subscription_id } = await client.call<{ id: string }>('event_subscriptions.create', {
      event_type: 'collection.updated',
      endpoint_url: endpoints.urlOf(endpoint),
      filter_config: { project_id },
    })
    projects.push({ project_id, collection_id, subscription_id })
  }
  return projects
}

/** Causes events of all projects in turn. */
export interface Load {
  /** Names of collections whose update was acknowledged: each must have become an event. */
  readonly acknowledged: ReadonlySet<string>
  /** The server that is called; null while it is down. */
  client: Client | null
  /** Until so many more events were acknowledged, at a rate. */
  run(count: number, per_second: number): Promise<void>
}

const down_ms = 50

export function createLoad(projects: readonly SubscribedProject[], first: Client): Load {
  const acknowledged = new Set<string>()
  let next = 0
  const update = async (client: Client): Promise<void> => {
    const number = next++
    const { project_id, collection_id } = projects[number % projects.length]!
    const name = `Update ${number}`
    await client.call('collections.update', { project_id, collection_id, name }).then(
      () => acknowledged.add(name),
      (error: unknown) => {
        if (error instanceof ApiProblem && error.status < 500) throw error
        // A killed server may have committed it: then it is an event that nobody acknowledged.
        return pause(down_ms)
      },
    )
  }
  const load: Load = {
    acknowledged,
    client: first,
    run: async (count, per_second) => {
      const wanted = acknowledged.size + count
      await runAtRate(load, update, () => acknowledged.size >= wanted, per_second)
    },
  }
  return load
}

/** Calls that wait for a response at once, on a machine that is too slow for the rate. */
const max_calls = 200

/** Calls at fixed times, however long the calls take; none while the server is down. */
async function runAtRate(
  load: Load,
  update: (client: Client) => Promise<void>,
  isDone: () => boolean,
  per_second: number,
): Promise<void> {
  const calls = new Set<Promise<void>>()
  let due_ms = performance.now()
  let hasFailed = false
  while (!isDone() && !hasFailed) {
    await pause(Math.max(0, due_ms - performance.now()))
    due_ms += 1000 / per_second
    if (load.client === null || calls.size >= max_calls) continue
    const call = update(load.client)
    calls.add(call)
    void call.then(
      () => calls.delete(call),
      () => (hasFailed = true),
    )
  }
  await Promise.all(calls)
}
