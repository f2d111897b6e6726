import Type from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { ListEnvelope } from '../paging.ts'
import { StorageCorrection, StorageDrift, StorageReconciliationRun } from '../schemas/billing.ts'
import {
  Count,
  WithDefault,
  WithDescription,
  StrictObject,
  OptionalNullable,
  OptionalOperatorReason,
  Uuid,
} from '../schemas/primitives.ts'
import { createSpendFields, WithDryRun } from '../schemas/spend.ts'

const organizationFields = { organization_id: Uuid }
const optionalOrganizationFields = { organization_id: OptionalNullable(Uuid) }
const rowLimit = (count: number) => WithDefault(Type.Integer({ minimum: 1, maximum: 10_000 }), count)
const Threshold = WithDescription('Drift below this is not flagged.', Type.Integer({ minimum: 0, maximum: 2 ** 50 }))

/** Corrections only append rows; the response has the appended rows. */
const CorrectionResult = Type.Object({
  organization_id: Uuid,
  corrections: Type.Array(StorageCorrection),
  bytes_delta: Type.Integer(),
})

export const billingReconciliationRunOperation = operation({
  id: 'billing.reconciliation.run',
  scope: 'admin:write',
  effect: 'compute',
  summary: 'Compare the storage journal with the stored bytes, for one organization.',
  input: StrictObject({
    reason: OptionalOperatorReason,
    ...organizationFields,
    threshold_bytes: WithDefault(Threshold, 1_048_576),
  }),
  output: StorageReconciliationRun,
  problems: ['not-found'],
})

export const billingReconciliationRunAllOperation = operation({
  id: 'billing.reconciliation.run_all',
  scope: 'admin:write',
  effect: 'compute',
  summary: 'Compare the storage journal with the stored bytes, for every organization.',
  input: StrictObject({ reason: OptionalOperatorReason, threshold_bytes: WithDefault(Threshold, 1_048_576) }),
  output: Type.Object({ runs: Type.Array(StorageReconciliationRun), flagged_count: Count }),
})

export const billingReconciliationListRunsOperation = operation({
  id: 'billing.reconciliation.list_runs',
  scope: 'admin:read',
  effect: 'read',
  summary: 'List the reconciliation runs, newest first.',
  input: StrictObject({
    ...optionalOrganizationFields,
    flagged_only: WithDefault(Type.Boolean(), false),
    limit: rowLimit(50),
  }),
  output: ListEnvelope('runs', StorageReconciliationRun),
})

export const billingReconciliationListCorrectionsOperation = operation({
  id: 'billing.reconciliation.list_corrections',
  scope: 'admin:read',
  effect: 'read',
  summary: 'List the corrections of the storage journal, newest first.',
  input: StrictObject({ ...optionalOrganizationFields, limit: rowLimit(100) }),
  output: ListEnvelope('corrections', StorageCorrection),
})

export const billingReconciliationDetectDriftOperation = operation({
  id: 'billing.reconciliation.detect_drift',
  scope: 'admin:read',
  effect: 'read',
  summary: 'List the assets of an organization whose journalled and stored bytes differ.',
  input: StrictObject(organizationFields),
  output: ListEnvelope('drifts', StorageDrift),
  problems: ['not-found'],
})

export const billingReconciliationCorrectDriftOperation = operation({
  id: 'billing.reconciliation.correct_drift',
  scope: 'admin:write',
  effect: 'spend',
  summary: 'Correct the storage journal of an organization or of one asset; credits do not change.',
  input: StrictObject({
    ...organizationFields,
    bytes_delta: Type.Integer({
      minimum: -(2 ** 50),
      maximum: 2 ** 50,
      description: 'Bytes to add; negative to subtract.',
    }),
    reason: Type.String({ minLength: 1, maxLength: limits.max_text_length }),
    asset_id: OptionalNullable(Uuid),
    ...createSpendFields('Accepted as everywhere; a correction costs nothing, so it never exceeds this.'),
  }),
  output: WithDryRun(CorrectionResult),
  problems: ['not-found', 'invalid-state'],
})

export const billingReconciliationBackfillMissingOperation = operation({
  id: 'billing.reconciliation.backfill_missing',
  scope: 'admin:write',
  effect: 'compute',
  summary: 'Add journal rows for stored assets that have none.',
  input: StrictObject({ ...organizationFields, reason: OptionalOperatorReason }),
  output: CorrectionResult,
  problems: ['not-found'],
})

export const billingReconciliationRemoveStaleOperation = operation({
  id: 'billing.reconciliation.remove_stale',
  scope: 'admin:write',
  effect: 'compute',
  summary: 'Reverse journal rows of bytes that are no longer stored.',
  input: StrictObject({ ...organizationFields, reason: OptionalOperatorReason }),
  output: CorrectionResult,
  problems: ['not-found'],
})

export const billingReconciliationZeroNegativeNetsOperation = operation({
  id: 'billing.reconciliation.zero_negative_nets',
  scope: 'admin:write',
  effect: 'compute',
  summary: 'Correct assets with negative journalled bytes to zero.',
  input: StrictObject({ ...organizationFields, reason: OptionalOperatorReason }),
  output: CorrectionResult,
  problems: ['not-found'],
})
