import { Problem } from '../../engine/problem.ts'
import type { HostCollection, HostScene, ImageryHost } from '../../platform/outside/imagery-host.ts'
import type { Outside } from '../../platform/outside/outside.ts'

/** The host of that name; throws `not-found`. */
export function requireHost(outside: Pick<Outside, 'hosts'>, name: string): ImageryHost {
  const host = outside.hosts.get(name)
  if (!host) throw new Problem('not-found', `No host has the name "${name}".`)
  return host
}

export const collectionOf = (host: ImageryHost, scene: HostScene): HostCollection | null =>
  host.collections.find((collection) => collection.id === scene.collection) ?? null

/** Asks a host and says `upstream` where it fails: its outage is not a fault of ours, nor of the caller. */
export async function asking<T>(host: ImageryHost, question: Promise<T>): Promise<T> {
  try {
    return await question
  } catch (error) {
    if (error instanceof Problem) throw error
    throw Object.assign(new Problem('upstream', `The host "${host.name}" did not answer.`), { cause: error })
  }
}
