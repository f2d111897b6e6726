import { Problem } from '../../engine/problem.ts'
import type { HostCollection, HostScene, ImageryHost } from '../../platform/integrations/imagery-host.ts'
import type { Integrations } from '../../platform/integrations/integrations.ts'

/** The imagery host with the name. Throws `not-found`. */
export function requireImageryHost(integrations: Pick<Integrations, 'hosts'>, name: string): ImageryHost {
  const host = integrations.hosts.get(name)
  if (!host) throw new Problem('not-found', `No host has the name "${name}".`)
  return host
}

export const findHostCollection = (host: ImageryHost, scene: HostScene): HostCollection | null =>
  host.collections.find((collection) => collection.id === scene.collection) ?? null

/** Awaits a response of a host; any failure becomes `upstream`, because it is neither our error nor the caller's. */
export async function callHost<T>(host: ImageryHost, response: Promise<T>): Promise<T> {
  try {
    return await response
  } catch (error) {
    if (error instanceof Problem) throw error
    throw Object.assign(new Problem('upstream', `The host "${host.name}" did not respond.`), { cause: error })
  }
}
