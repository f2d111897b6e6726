import type { OrganizationClock } from '../../../platform/clock.ts'
import type { HostWorld } from '../../../platform/integrations/tasking-host.ts'

/** The world in which the tasks of an organization are flown, at the time on its clock. */
export const toHostWorld = (clock: OrganizationClock): HostWorld => ({ id: 'live', now: clock.now(), seed: 'live' })
