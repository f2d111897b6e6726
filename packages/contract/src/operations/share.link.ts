import Type from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { ListEnvelope, offsetPaging } from '../paging.ts'
import { shareVisitorProblems } from '../problems.ts'
import {
  WithDefault,
  WithDescription,
  StrictObject,
  Timestamp,
  Uuid,
  OkResultWithId,
  OptionalNullable,
  AnyObject,
} from '../schemas/primitives.ts'
import {
  ShareLink,
  SharePermission,
  ShareTargetType,
  ShareLinkDetails,
  shareVisitorCredentialFields,
} from '../schemas/share-link.ts'

const linkProblems = ['not-found', 'not-a-member', 'invalid-state'] as const

const UsageLimit = Type.Integer({ minimum: 0, maximum: 1_000_000_000 })

export const shareLinkCreateOperation = operation({
  id: 'share.link.create',
  scope: 'shares:write',
  effect: 'export',
  summary: 'Create a password-protected share link to an item or a collection, with an expiry.',
  input: StrictObject({
    target_type: ShareTargetType,
    target_id: Uuid,
    permission: WithDefault(SharePermission, 'view'),
    password: Type.String({ minLength: 8, maxLength: 1000, description: 'Stored hashed.' }),
    expires_at: WithDescription(
      `At most ${limits.max_share_link_days} days ahead. A link that an API key created expires with the key, too.`,
      Timestamp,
    ),
  }),
  output: Type.Object({ ...ShareLink.properties, url: Type.String() }),
  problems: [...linkProblems, 'gone-retention'],
})

export const shareLinkRevokeOperation = operation({
  id: 'share.link.revoke',
  scope: 'shares:write',
  effect: 'destructive',
  summary: 'Revoke a share link immediately, with its sessions and the signed URLs issued through it.',
  input: StrictObject({ link_id: Uuid }),
  output: OkResultWithId,
  problems: ['not-found', 'not-a-member'],
})

export const shareLinkUpdateOperation = operation({
  id: 'share.link.update',
  scope: 'shares:write',
  effect: 'compute',
  summary: 'Update the expiry, password, permission or limits of a share link; absent fields keep their values.',
  input: StrictObject({
    link_id: Uuid,
    expires_at: Type.Optional(WithDescription(`At most ${limits.max_share_link_days} days ahead.`, Timestamp)),
    permission: Type.Optional(SharePermission),
    password: Type.Optional(
      Type.String({ minLength: 8, maxLength: 1000, description: 'A new password; sessions with the old one end.' }),
    ),
    view_cap: WithDescription('Maximum number of views of the link; null for no limit.', OptionalNullable(UsageLimit)),
    cost_cap_credits: WithDescription(
      'Maximum cost of the tiles of the link, in credits; null for no limit.',
      OptionalNullable(UsageLimit),
    ),
  }),
  output: Type.Object({ link: ShareLinkDetails }),
  problems: [...linkProblems, 'user-required'],
  extension: true,
})

export const shareLinkGetOperation = operation({
  id: 'share.link.get',
  scope: 'shares:read',
  effect: 'read',
  summary: 'Read a share link with its views, downloads and cost.',
  input: StrictObject({ link_id: Uuid }),
  output: Type.Object({ link: ShareLinkDetails }),
  problems: ['not-found', 'not-a-member'],
  extension: true,
})

export const shareLinkListOperation = operation({
  id: 'share.link.list',
  scope: 'shares:read',
  effect: 'read',
  summary: 'List the share links of a project, an item or a collection, newest first.',
  input: StrictObject({
    project_id: Type.Optional(Uuid),
    target_type: Type.Optional(ShareTargetType),
    target_id: Type.Optional(Uuid),
    active: Type.Optional(Type.Boolean({ description: 'Only active links, or only inactive ones.' })),
    ...offsetPaging(),
  }),
  output: ListEnvelope('links', ShareLinkDetails),
  paging: 'offset',
  problems: ['not-found', 'not-a-member'],
  extension: true,
})

export const shareLinkValidateOperation = operation({
  id: 'share.link.validate',
  scope: 'shares:read',
  effect: 'read',
  summary: 'Open a share link with its password and read the shared resource.',
  input: StrictObject(shareVisitorCredentialFields),
  output: Type.Object({ permission: SharePermission, target_type: ShareTargetType, target: AnyObject }),
  problems: shareVisitorProblems,
  public: true,
})
