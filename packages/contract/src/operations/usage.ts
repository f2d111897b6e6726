import Type from 'typebox'
import { operation } from '../operation.ts'
import { ListEnvelope, offsetPaging } from '../paging.ts'
import { Count, WithDefault, StrictObject, Uuid } from '../schemas/primitives.ts'
import { MeanUsageOfOperation, Usage, UsageOfCaller, UsageOfDay, UsageOfOperation } from '../schemas/reporting/usage.ts'

export const usageCurrentOperation = operation({
  id: 'usage.current',
  scope: 'usage:read',
  effect: 'read',
  summary: 'Read the usage of the organization in the current month.',
  input: StrictObject({ organization_id: Uuid }),
  output: Type.Object({
    usage: Usage,
    days: Type.Array(UsageOfDay),
    operations: Type.Array(UsageOfOperation),
    callers: Type.Array(UsageOfCaller),
  }),
  problems: ['not-found'],
})

export const usageHistoryOperation = operation({
  id: 'usage.history',
  scope: 'usage:read',
  effect: 'read',
  summary: 'List the usage of the organization in each of the last months.',
  input: StrictObject({ organization_id: Uuid, months: WithDefault(Type.Integer({ minimum: 1, maximum: 120 }), 3) }),
  output: ListEnvelope('usage', Usage),
  problems: ['not-found'],
})

export const usageByOperationOperation = operation({
  id: 'usage.by_operation',
  scope: 'usage:read',
  effect: 'read',
  summary: 'List the calls of the organization by operation, with their mean duration, the most called first.',
  input: StrictObject({
    organization_id: Uuid,
    months: WithDefault(
      Type.Integer({ minimum: 1, maximum: 120, description: 'The current month and the ones before it, added up.' }),
      3,
    ),
    ...offsetPaging(),
  }),
  output: ListEnvelope('operations', MeanUsageOfOperation),
  problems: ['not-found'],
  paging: 'offset',
  extension: true,
})

export const usageRecalculateStorageOperation = operation({
  id: 'usage.recalculate_storage',
  scope: 'usage:write',
  permission: 'administer',
  effect: 'compute',
  summary: 'Recalculate the stored bytes of the organization.',
  input: StrictObject({ organization_id: Uuid }),
  output: Type.Object({ organization_id: Uuid, storage_bytes: Count, previous_storage_bytes: Count }),
  problems: ['not-found'],
})
