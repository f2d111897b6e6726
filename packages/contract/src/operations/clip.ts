import Type from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { List, offsetPaging } from '../paging.ts'
import { jobStartProblems } from '../problems.ts'
import { reuseField } from '../schemas/job.ts'
import { spendFields, WithDryRun } from '../schemas/spend.ts'
import { Area, Geometry } from '../schemas/geojson.ts'
import { Job, JobTileInfo } from '../schemas/job.ts'
import {
  WithDescription,
  StrictObject,
  OptionalNullable,
  EmptyInput,
  Nullable,
  Timestamp,
  Uuid,
} from '../schemas/primitives.ts'

const ShortText = Type.String({ minLength: 1, maxLength: 500 })
const optionalText = OptionalNullable(ShortText)
const AreaName = WithDescription('An area (`clip.areas.list`).', ShortText)
const AreaInput = StrictObject({ area: AreaName })
const requesterField = WithDescription('Recorded with the download.', optionalText)
const JobInput = StrictObject({ job_id: Uuid })

/** An area with mosaics that can be clipped. */
const ClipArea = Type.Object({
  area: Type.String(),
  title: Type.String(),
  description: Type.String(),
  geometry: Nullable(Geometry),
  mosaic_types: Type.Array(Type.String()),
})

const Mosaic = Type.Object({
  mosaic_type: Type.String(),
  title: Type.String(),
  datetime: Nullable(Timestamp),
  gsd: Nullable(Type.Number()),
  band_names: Type.Array(Type.String()),
})

export const clipCreateFromItemOperation = operation({
  id: 'clip.create_from_item',
  scope: 'processing:process',
  effect: 'spend',
  summary: 'Clip assets of an item to a polygon and store the result as a new item.',
  body_limit_bytes: null,
  input: StrictObject({
    source_item_id: Uuid,
    project_id: Type.Optional(
      Nullable(Uuid, { description: 'Project of the result; defaults to the project of the source item.' }),
    ),
    aoi_geometry: WithDescription('The polygon to clip to.', Area),
    asset_keys: Type.Optional(
      Nullable(Type.Array(ShortText, { minItems: 1, maxItems: 100 }), { description: 'Defaults to every raster.' }),
    ),
    output_name: optionalText,
    ...reuseField,
    ...spendFields,
  }),
  output: WithDryRun(
    Type.Object({
      job: Job,
      assets_to_clip: Type.Integer({ minimum: 0 }),
      asset_keys: Type.Array(Type.String()),
    }),
  ),
  problems: jobStartProblems,
  emits: ['job.created', 'job.completed', 'job.captured'],
  idempotent: true,
  implemented: true,
})

export const clipCreateFromAreaOperation = operation({
  id: 'clip.create_from_area',
  scope: 'clip:write',
  effect: 'spend',
  summary: 'Clip mosaics of an area to a polygon.',
  body_limit_bytes: null,
  input: StrictObject({
    area: AreaName,
    mosaic_types: Type.Array(ShortText, {
      minItems: 1,
      maxItems: 100,
      description: 'Mosaic types (`clip.area.mosaics`).',
    }),
    aoi_geometry: WithDescription('The polygon to clip to.', Area),
    aoi_name: optionalText,
    project_id: OptionalNullable(Uuid),
    organization_id: Uuid,
    ...reuseField,
    ...spendFields,
  }),
  output: WithDryRun(Type.Object({ job: Job })),
  problems: jobStartProblems,
  emits: ['job.created', 'job.completed', 'job.captured'],
  idempotent: true,
  implemented: true,
})

export const clipAreasListOperation = operation({
  id: 'clip.areas.list',
  scope: 'clip:read',
  effect: 'read',
  summary: 'List the areas that have mosaics.',
  input: EmptyInput,
  output: List('areas', ClipArea),
  implemented: true,
})

export const clipAreaMetadataOperation = operation({
  id: 'clip.area.metadata',
  scope: 'clip:read',
  effect: 'read',
  summary: 'Read an area with its mosaic types.',
  input: AreaInput,
  output: Type.Object({ area: ClipArea }),
  problems: ['not-found'],
  implemented: true,
})

export const clipAreaMosaicsOperation = operation({
  id: 'clip.area.mosaics',
  scope: 'clip:read',
  effect: 'read',
  summary: 'List the mosaics of an area.',
  input: AreaInput,
  output: List('mosaics', Mosaic),
  problems: ['not-found'],
  implemented: true,
})

export const clipJobsListOperation = operation({
  id: 'clip.jobs.list',
  scope: 'clip:read',
  effect: 'read',
  summary: 'List the clip jobs of an organization, newest first.',
  input: StrictObject({ organization_id: Uuid, status: optionalText, ...offsetPaging(limits.short_offset_limit) }),
  output: List('jobs', Job),
  paging: 'offset',
  problems: ['not-found'],
  implemented: true,
})

export const clipJobGetOperation = operation({
  id: 'clip.job.get',
  scope: 'clip:read',
  effect: 'read',
  summary: 'Read a clip job.',
  input: JobInput,
  output: Type.Object({ job: Job }),
  problems: ['not-found'],
  implemented: true,
})

export const clipJobTileInfoOperation = operation({
  id: 'clip.job.tile_info',
  scope: 'clip:read',
  effect: 'read',
  summary: 'Read the tile URLs of the results of a clip job.',
  input: JobInput,
  output: Type.Object({ tile_info: JobTileInfo }),
  problems: ['not-found'],
  implemented: true,
})

export const clipJobDownloadOperation = operation({
  id: 'clip.job.download',
  scope: 'clip:read',
  effect: 'read',
  summary: 'Issue a signed URL for one mosaic of a clip job.',
  input: StrictObject({
    job_id: Uuid,
    mosaic_type: WithDescription('One of the mosaic types of the job.', ShortText),
    user_agent: requesterField,
    requester_ip: requesterField,
  }),
  output: Type.Object({
    url: Type.String(),
    expires_in_seconds: Type.Integer({ minimum: 0 }),
    size_bytes: Nullable(Type.Integer({ minimum: 0 })),
    media_type: Type.String(),
  }),
  problems: [
    'not-found',
    'not-a-member',
    'invalid-state',
    'gone-retention',
    'past-due',
    'download-cap',
    'bandwidth-breaker',
  ],
  implemented: true,
})

export const clipJobDownloadsOperation = operation({
  id: 'clip.job.downloads',
  scope: 'clip:read',
  effect: 'read',
  summary: 'List the downloads of the results of a clip job.',
  input: JobInput,
  output: List(
    'downloads',
    Type.Object({
      at: Timestamp,
      mosaic_type: Type.String(),
      actor: Nullable(Type.String()),
      user_agent: Nullable(Type.String()),
      requester_ip: Nullable(Type.String()),
    }),
  ),
  problems: ['not-found'],
  implemented: true,
})

export const clipJobDeleteOperation = operation({
  id: 'clip.job.delete',
  scope: 'clip:destroy',
  effect: 'destructive',
  summary: 'Delete a clip job that has ended.',
  input: JobInput,
  output: Type.Object({ deleted: Type.Boolean(), job_id: Uuid }),
  problems: ['not-found', 'invalid-state'],
  implemented: true,
})
