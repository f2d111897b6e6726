import Type from 'typebox'
import { operation } from '../operation.ts'
import { nextTokenPaging } from '../paging.ts'
import { AuditEntry, auditTrailFilterFields, AuditExportLine, AuditVerificationResult } from '../schemas/event.ts'
import { EmptyInput, OptionalNullable, StrictObject, WithDefault } from '../schemas/primitives.ts'
import { NdjsonLines } from '../schemas/response-bodies.ts'

export const organizationsAuditListOperation = operation({
  id: 'organizations.audit.list',
  scope: 'organizations:read',
  permission: 'administer',
  effect: 'read',
  summary:
    'List the write calls in the organization, newest first: who called what, on which entity, and how it ended.',
  input: StrictObject({ ...auditTrailFilterFields, ...nextTokenPaging() }),
  output: Type.Object({
    entries: Type.Array(AuditEntry),
    next: Type.Optional(Type.String({ description: 'Send it as `next` to get the next page.' })),
  }),
  paging: 'token',
  extension: true,
})

export const organizationsAuditExportOperation = operation({
  id: 'organizations.audit.export',
  scope: 'audit:export',
  permission: 'administer',
  effect: 'export',
  summary: 'Stream the sealed rows of the audit trail, oldest first, with the hash chain for independent verification.',
  input: StrictObject({
    format: WithDefault(Type.Enum(['ndjson', 'csv'], { description: 'One row per line in both formats.' }), 'ndjson'),
    after: WithDefault(
      Type.Integer({
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        description: 'Only rows after this position.',
      }),
      0,
    ),
    limit: OptionalNullable(
      Type.Integer({ minimum: 1, maximum: 10_000_000, description: 'Maximum number of rows; defaults to all.' }),
    ),
  }),
  output: NdjsonLines(AuditExportLine),
  response_kind: 'ndjson',
  alternative_media_types: ['text/csv'],
  extension: true,
})

export const organizationsAuditVerifyOperation = operation({
  id: 'organizations.audit.verify',
  scope: 'organizations:read',
  permission: 'administer',
  effect: 'read',
  summary: 'Verify the whole audit trail: positions, hashes, and the end of the chain.',
  input: EmptyInput,
  output: AuditVerificationResult,
  extension: true,
})
