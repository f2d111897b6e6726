import Type from 'typebox'
import { operation } from '../operation.ts'
import { ListEnvelope, offsetPaging, PageEnvelope, pageNumberPaging } from '../paging.ts'
import { Eula, EulaAcceptance, EulaDocument } from '../schemas/eula.ts'
import { WithDefault, WithDescription, StrictObject, OptionalNullable, Uuid } from '../schemas/primitives.ts'

const documentIds = { eula_id: Uuid, document_id: Uuid }

export const eulasListOperation = operation({
  id: 'eulas.list',
  scope: 'eulas:read',
  effect: 'read',
  summary: 'List the licence agreements.',
  input: StrictObject({
    term: OptionalNullable(Type.String({ maxLength: 200, description: 'A word in the title.' })),
    ...pageNumberPaging(),
    sort: WithDefault(
      Type.String({
        pattern: '^(createdAt|updatedAt|name|title),(asc|desc)$',
        description: 'Field and direction.',
      }),
      'createdAt,desc',
    ),
  }),
  output: PageEnvelope(Eula),
  paging: 'page',
})

export const eulasGetOperation = operation({
  id: 'eulas.get',
  scope: 'eulas:read',
  effect: 'read',
  summary: 'Read a licence agreement.',
  input: StrictObject({ eula_id: Uuid }),
  output: Type.Object({
    eula: Eula,
    isAccepted: WithDescription('The same as in `eula`, for clients that read it here.', Type.Boolean()),
  }),
  problems: ['not-found'],
})

export const eulasDocumentsListOperation = operation({
  id: 'eulas.documents.list',
  scope: 'eulas:read',
  effect: 'read',
  summary: 'List the versions of a licence agreement.',
  input: StrictObject({
    eula_id: Uuid,
    ...pageNumberPaging(),
    sort: WithDefault(
      Type.String({ pattern: '^(validFrom|version),(asc|desc)$', description: 'Field and direction.' }),
      'validFrom,desc',
    ),
  }),
  output: PageEnvelope(EulaDocument),
  paging: 'page',
  problems: ['not-found'],
})

export const eulasDocumentGetOperation = operation({
  id: 'eulas.document.get',
  scope: 'eulas:read',
  effect: 'read',
  summary: 'Read a version of a licence agreement with its text.',
  input: StrictObject(documentIds),
  output: Type.Object({ document: EulaDocument }),
  problems: ['not-found'],
})

export const eulasDocumentAcceptOperation = operation({
  id: 'eulas.document.accept',
  scope: 'eulas:write',
  permission: 'contribute',
  effect: 'compute',
  summary: 'Accept a version of a licence agreement for the organization, or withdraw the acceptance.',
  input: StrictObject({
    ...documentIds,
    is_accepted: WithDefault(Type.Boolean({ description: 'False withdraws the acceptance.' }), true),
  }),
  output: Type.Object({ document: EulaDocument }),
  problems: ['not-found', 'invalid-state'],
  emits: ['eula.accepted', 'eula.withdrawn'],
})

export const eulasAcceptancesListOperation = operation({
  id: 'eulas.acceptances.list',
  scope: 'eulas:read',
  effect: 'read',
  summary: 'List who accepted which version of which licence agreement, and who withdrew it, newest first.',
  input: StrictObject({
    eula_id: WithDescription('Only of this licence agreement.', OptionalNullable(Uuid)),
    ...offsetPaging(),
  }),
  output: ListEnvelope('acceptances', EulaAcceptance),
  paging: 'offset',
  problems: ['not-found'],
  extension: true,
})
