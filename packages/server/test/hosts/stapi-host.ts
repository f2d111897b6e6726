import type { TestContext } from 'node:test'
import { createSafeFetch } from '../../src/platform/integrations/safe-fetch.ts'
import type { TaskingHostEnvironment, TaskingRequest } from '../../src/platform/integrations/tasking-host.ts'
import { createStapiHost } from '../../src/platform/integrations/hosts/stapi/stapi-host.ts'
import type {
  StapiHostLimits,
  StapiHostRow,
  StapiProductRow,
} from '../../src/platform/integrations/hosts/stapi/stapi-row.ts'
import { startProvider, type ProviderPlan } from './stapi-server.ts'

export const now = new Date('2026-03-01T00:00:00Z')
export const live: TaskingHostEnvironment = { id: 'live', now, seed: 'live' }
export const square = (west: number, south: number, size = 1) => ({
  type: 'Polygon' as const,
  coordinates: [
    [
      [west, south],
      [west + size, south],
      [west + size, south + size],
      [west, south + size],
      [west, south],
    ] as const,
  ],
})
export const request: TaskingRequest = {
  product: 'optical',
  geometry: square(10, 50),
  from: new Date('2026-03-02T00:00:00Z'),
  to: new Date('2026-03-09T00:00:00Z'),
}
export const task = (id: string, changes: Partial<TaskingRequest> = {}, chosen: string | null = null) => ({
  id,
  request: { ...request, ...changes },
  opportunity: chosen,
  replan: false,
})

export const productRow: StapiProductRow = {
  id: 'optical',
  title: null,
  description: null,
  sensors: ['pan'],
  workflow: 'direct',
  price: { product: 'Optical tasking', rate_credits: 700, minimum_km2: 25, licences: ['standard'] },
  cancel_policy: { hours_before_acquisition: 24, fee_pct: 0 },
  min_area_km2: 0,
  max_area_km2: 20_000,
  max_window_days: 60,
  eula: null,
  queryables: {},
  order_parameters: { delivery: 'cloud' },
  reference_parameter: null,
}

export interface OpenOptions {
  readonly row?: Partial<StapiHostRow>
  readonly product?: Partial<StapiProductRow>
  readonly limits?: Partial<StapiHostLimits>
}

export async function openHost(t: TestContext, plan: ProviderPlan = {}, options: OpenOptions = {}) {
  const server = await startProvider(plan)
  t.after(() => server.close())
  const host = createStapiHost(
    {
      name: 'sky',
      title: 'Sky',
      description: 'Sky',
      access_model: 'commercial',
      scope: 'global',
      countries: [],
      attribution: 'Sky',
      license: 'proprietary',
      license_url: 'https://example.com',
      providers: [],
      url: server.url,
      signing: 'bearer',
      token_origins: [],
      allow_private: true,
      private_origins: [],
      asset_keys: null,
      poll_s: 60,
      delivery_grace_h: 24,
      sensors: [
        {
          id: 'pan',
          title: 'Pan',
          provider: 'Sky',
          satellites: ['sky-1'],
          gsd_m: 0.5,
          swath_km: 12,
          max_off_nadir_deg: 30,
          bands: [],
        },
      ],
      products: [{ ...productRow, ...options.product }],
      ...options.row,
    },
    {
      clock: { now: () => now },
      token: 'secret-token',
      limits: { backoff_ms: 1, poll_ms: 1, failure_ms: 0, request_timeout_ms: 1000, ...options.limits },
      createFetch: (outside_allow) =>
        createSafeFetch({ config: { outside_allow, outside_timeout_ms: 2000, outside_limit_bytes: 1024 * 1024 } }),
    },
  )
  return { server, host, tasking: host.tasking! }
}

export const createdBodies = (requests: readonly { method: string; path: string; body: unknown }[]) =>
  requests
    .filter(({ method, path }) => method === 'POST' && path.endsWith('/orders'))
    .map(({ body }) => body as Record<string, unknown>)
