/** The dialect of the clients: OGC API - Processes at `/processing`, and an older one at `/v2/processing`. */
export type ProcessesDialect = 'ogc' | 'v2'

export const processesConformanceClasses = ['core', 'ogc-process-description', 'json', 'job-list', 'dismiss'].map(
  (name) => `http://www.opengis.net/spec/ogcapi-processes-1/1.0/conf/${name}`,
)

/** The URLs of the interface below the base URL of the service. */
export const buildProcessesUrls = (base: string, dialect: ProcessesDialect) => {
  const path = dialect === 'ogc' ? '/processing' : '/v2/processing'
  const root = `${base}${path}`
  return {
    base,
    path,
    root,
    conformance: `${root}/conformance`,
    processes: `${root}/processes`,
    jobs: `${root}/jobs`,
    process: (id: string): string => `${root}/processes/${encodeURIComponent(id)}`,
    job: (id: string): string => `${root}/jobs/${id}`,
    item: (id: string): string => `${base}/v1/op/items.get_stac?item_id=${id}`,
  }
}

export type ProcessesUrls = ReturnType<typeof buildProcessesUrls>

export const createProcessesLink = (rel: string, href: string, type = 'application/json') => ({ rel, href, type })
