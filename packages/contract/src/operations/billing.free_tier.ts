import Type from 'typebox'
import { operation } from '../operation.ts'
import { ListEnvelope } from '../paging.ts'
import { organizationFailureFields, billedOrganizationFields } from '../schemas/billing.ts'
import {
  Count,
  StrictObject,
  OptionalNullable,
  OptionalOperatorReason,
  Uuid,
  ReasonInput,
  EmptyInput,
} from '../schemas/primitives.ts'

export const billingFreeTierApproveOperation = operation({
  id: 'billing.free_tier.approve',
  scope: 'admin:write',
  effect: 'compute',
  summary: 'Approve an organization for the free plan and grant its first credits.',
  input: StrictObject({ reason: OptionalOperatorReason, organization_id: Uuid, admin_user_id: OptionalNullable(Uuid) }),
  output: Type.Object({ organization_id: Uuid, granted_credits: Count }),
  problems: ['not-found', 'already-decided'],
})

export const billingFreeTierGrantAllOperation = operation({
  id: 'billing.free_tier.grant_all',
  scope: 'admin:write',
  effect: 'compute',
  summary: 'Grant the monthly credits to every organization on the free plan, once per month.',
  input: ReasonInput,
  output: Type.Object({ organization_count: Count, granted_credits: Count, ...organizationFailureFields }),
})

export const billingFreeTierListPendingOperation = operation({
  id: 'billing.free_tier.list_pending',
  scope: 'admin:read',
  effect: 'read',
  summary: 'List the organizations that wait for approval for the free plan.',
  input: EmptyInput,
  output: ListEnvelope('organizations', Type.Object(billedOrganizationFields)),
})

export const billingFreeTierRevokeOperation = operation({
  id: 'billing.free_tier.revoke',
  scope: 'admin:write',
  effect: 'compute',
  summary: 'Remove an organization from the free plan and expire its free credits.',
  input: StrictObject({ organization_id: Uuid, reason: OptionalOperatorReason }),
  output: Type.Object({ organization_id: Uuid, expired_credits: Count }),
  problems: ['not-found', 'invalid-state'],
})
