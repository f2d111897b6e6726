import Type from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { List } from '../paging.ts'
import { Correction, Drift, ReconciliationRun } from '../shapes/billing.ts'
import { Count, Default, Described, Input, Maybe, Uuid } from '../shapes/primitives.ts'

const organization = { organization_id: Uuid }
const anOrganization = { organization_id: Maybe(Uuid) }
const newest = (count: number) => Default(Type.Integer({ minimum: 1, maximum: 10_000 }), count)
const Threshold = Described('Drift below this is not flagged.', Type.Integer({ minimum: 0, maximum: 2 ** 50 }))

/** Corrections only append rows; the response has the appended rows. */
const Corrected = Type.Object({
  organization_id: Uuid,
  corrections: Type.Array(Correction),
  bytes_delta: Type.Integer(),
})

export const billingReconciliationRun = operation({
  id: 'billing.reconciliation.run',
  scope: 'admin:write',
  effect: 'compute',
  summary: 'Compare the storage journal with the stored bytes, for one organization.',
  input: Input({ ...organization, threshold_bytes: Default(Threshold, 1_048_576) }),
  output: ReconciliationRun,
  problems: ['not-found'],
  answered: true,
})

export const billingReconciliationRunAll = operation({
  id: 'billing.reconciliation.run_all',
  scope: 'admin:write',
  effect: 'compute',
  summary: 'Compare the storage journal with the stored bytes, for every organization.',
  input: Input({ threshold_bytes: Default(Threshold, 1_048_576) }),
  output: Type.Object({ runs: Type.Array(ReconciliationRun), flagged_count: Count }),
  answered: true,
})

export const billingReconciliationListRuns = operation({
  id: 'billing.reconciliation.list_runs',
  scope: 'admin:read',
  effect: 'read',
  summary: 'List the reconciliation runs, newest first.',
  input: Input({ ...anOrganization, flagged_only: Default(Type.Boolean(), false), limit: newest(50) }),
  output: List('runs', ReconciliationRun),
  answered: true,
})

export const billingReconciliationListCorrections = operation({
  id: 'billing.reconciliation.list_corrections',
  scope: 'admin:read',
  effect: 'read',
  summary: 'List the corrections of the storage journal, newest first.',
  input: Input({ ...anOrganization, limit: newest(100) }),
  output: List('corrections', Correction),
  answered: true,
})

export const billingReconciliationDetectDrift = operation({
  id: 'billing.reconciliation.detect_drift',
  scope: 'admin:read',
  effect: 'read',
  summary: 'List the assets of an organization whose journalled and stored bytes differ.',
  input: Input(organization),
  output: List('drifts', Drift),
  problems: ['not-found'],
  answered: true,
})

export const billingReconciliationCorrectDrift = operation({
  id: 'billing.reconciliation.correct_drift',
  scope: 'admin:write',
  effect: 'spend',
  summary: 'Correct the storage journal of an organization or of one asset; credits do not change.',
  input: Input({
    ...organization,
    bytes_delta: Type.Integer({
      minimum: -(2 ** 50),
      maximum: 2 ** 50,
      description: 'Bytes to add; negative to subtract.',
    }),
    reason: Type.String({ minLength: 1, maxLength: limits.text_length }),
    asset_id: Maybe(Uuid),
  }),
  output: Corrected,
  problems: ['not-found', 'invalid-state'],
  answered: true,
})

export const billingReconciliationBackfillMissing = operation({
  id: 'billing.reconciliation.backfill_missing',
  scope: 'admin:write',
  effect: 'compute',
  summary: 'Add journal rows for stored assets that have none.',
  input: Input(organization),
  output: Corrected,
  problems: ['not-found'],
  answered: true,
})

export const billingReconciliationRemoveStale = operation({
  id: 'billing.reconciliation.remove_stale',
  scope: 'admin:write',
  effect: 'compute',
  summary: 'Reverse journal rows of bytes that are no longer stored.',
  input: Input(organization),
  output: Corrected,
  problems: ['not-found'],
  answered: true,
})

export const billingReconciliationZeroNegativeNets = operation({
  id: 'billing.reconciliation.zero_negative_nets',
  scope: 'admin:write',
  effect: 'compute',
  summary: 'Correct assets with negative journalled bytes to zero.',
  input: Input(organization),
  output: Corrected,
  problems: ['not-found'],
  answered: true,
})
