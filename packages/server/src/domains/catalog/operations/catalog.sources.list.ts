import { catalogSourcesListOperation } from '@swath/contract/operations/catalog.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { findHostAvailability } from '../hosts.ts'
import type { HostCollection, ImageryHost } from '../../../platform/integrations/imagery-host.ts'

export const handler = defineHandler(catalogSourcesListOperation, async (call, input) => {
  const country = input.country?.toUpperCase()
  const isRequested = (host: ImageryHost): boolean =>
    (!input.scope || host.scope === input.scope) &&
    (!country || host.countries.some((covered) => covered.toUpperCase() === country))
  const hosts = [...call.integrations.hosts.values()].filter(isRequested)
  const statuses = await Promise.all(hosts.map((host) => findHostAvailability(host, call.signal)))
  const sources = hosts.map((host, index) => ({
    id: host.name,
    title: host.title,
    description: host.description,
    access_model: host.access_model,
    scope: host.scope,
    countries: [...host.countries],
    attribution: host.attribution,
    license: host.license,
    license_url: host.license_url,
    ...statuses[index]!,
    collections: host.collections
      .filter((collection) => !input.data_type || collection.data_type === input.data_type)
      .map(toSourceCollection),
  }))
  return { sources: input.data_type ? sources.filter((source) => source.collections.length > 0) : sources }
})

const toSourceCollection = (collection: HostCollection) => ({
  id: collection.id,
  title: collection.title,
  data_type: collection.data_type,
  render_strategy: collection.render_strategy,
  access_model: collection.price === null ? 'open' : 'commercial',
  gsd: collection.gsd,
  render_params: { ...collection.render_params },
})
