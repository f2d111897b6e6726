import type { Call } from '../../engine/call.ts'
import type { ImageryHost } from '../../platform/integrations/imagery-host.ts'
import { findHostAvailability } from '../catalog/hosts.ts'

/** All hosts, with their current offers; a host that does not respond in time has those that were read last. */
export async function readHostOffers({
  integrations,
  signal,
}: Pick<Call, 'integrations' | 'signal'>): Promise<ImageryHost[]> {
  const hosts = [...integrations.hosts.values()]
  await Promise.all(hosts.map((host) => findHostAvailability(host, signal)))
  return hosts
}
