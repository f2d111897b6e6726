import type { OrganizationRole } from '@swath/contract/schemas/member.ts'
import { billingEntityTypes } from './store.deliveries.ts'
import type { EventVisibility } from './store.ts'

/**
 * Owners and admins see all events (`projects` is null), the billing role also billing events, others the events of readable
 * projects.
 */
export const toEventVisibility = (
  projects: EventVisibility['projects'] | null,
  role: OrganizationRole | null,
): EventVisibility | null => projects && { projects, types: role === 'billing' ? billingEntityTypes : [] }
