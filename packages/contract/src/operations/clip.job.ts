import Type from 'typebox'
import { operation } from '../operation.ts'
import { ListEnvelope } from '../paging.ts'
import { Job, JobTileInfo } from '../schemas/job.ts'
import {
  WithDescription,
  OptionalNullable,
  ShortText,
  StrictObject,
  Uuid,
  Nullable,
  Timestamp,
} from '../schemas/primitives.ts'

const requesterField = WithDescription('Recorded with the download.', OptionalNullable(ShortText))

const JobInput = StrictObject({ job_id: Uuid })

export const clipJobGetOperation = operation({
  id: 'clip.job.get',
  scope: 'clip:read',
  effect: 'read',
  summary: 'Read a clip job.',
  input: JobInput,
  output: Type.Object({ job: Job }),
  problems: ['not-found'],
})

export const clipJobTileInfoOperation = operation({
  id: 'clip.job.tile_info',
  scope: 'clip:read',
  effect: 'read',
  summary: 'Read the tile URLs of the results of a clip job.',
  input: JobInput,
  output: Type.Object({ tile_info: JobTileInfo }),
  problems: ['not-found'],
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
})

export const clipJobDownloadsOperation = operation({
  id: 'clip.job.downloads',
  scope: 'clip:read',
  effect: 'read',
  summary: 'List the downloads of the results of a clip job.',
  input: JobInput,
  output: ListEnvelope(
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
})

export const clipJobDeleteOperation = operation({
  id: 'clip.job.delete',
  scope: 'clip:destroy',
  effect: 'destructive',
  summary: 'Delete a clip job that has ended.',
  input: JobInput,
  output: Type.Object({ deleted: Type.Boolean(), job_id: Uuid }),
  problems: ['not-found', 'not-a-member', 'invalid-state'],
})
