import type { Integrations } from '../../../platform/integrations/integrations.ts'
import { HostRefusal, type ImageryHost } from '../../../platform/integrations/imagery-host.ts'
import type { TaskingHost } from '../../../platform/integrations/tasking-host.ts'

/** The host of a task. Throws `HostRefusal` if it is not served, or takes no tasks, any more. */
export function requireTaskingHost(
  { hosts }: Pick<Integrations, 'hosts'>,
  name: string,
): { readonly host: ImageryHost; readonly tasking: TaskingHost } {
  const host = hosts.get(name)
  if (!host?.tasking) throw new HostRefusal(`The host "${name}" takes no tasks any more.`)
  return { host, tasking: host.tasking }
}
