import { Problem } from '../../engine/problem.ts'
import type { HostCollection, HostScene, ImageryHost } from '../../platform/outside/imagery-host.ts'
import type { Outside } from '../../platform/outside/outside.ts'

/** The imagery host with the name. Throws `not-found`. */
export function requireHost(outside: Pick<Outside, 'hosts'>, name: string): ImageryHost {
  const host = outside.hosts.get(name)
  if (!host) throw new Problem('not-found', `No host has the name "${name}".`)
  return host
}

export const collectionOf = (host: ImageryHost, scene: HostScene): HostCollection | null =>
  host.collections.find((collection) => collection.id === scene.collection) ?? null

/** Awaits a response of a host; any failure becomes `upstream`, because it is neither our error nor the caller's. */
export async function asking<T>(host: ImageryHost, question: Promise<T>): Promise<T> {
  try {
    return await question
  } catch (error) {
    if (error instanceof Problem) throw error
    throw Object.assign(new Problem('upstream', `The host "${host.name}" did not respond.`), { cause: error })
  }
}
