import type { TaskingOpportunity } from '@swath/contract/schemas/tasking.ts'
import type { AreaGeometry } from '@swath/geo/geojson.ts'
import { geometryBounds } from '@swath/geo/bbox.ts'
import { stapiJsonMediaType, stapiVersion, type StapiLinkObject, type StapiUrls } from './vocabulary.ts'

/** The search parameters of a request, to be sent again in an order. */
export interface OpportunitySearchParameters {
  readonly datetime: string
  readonly geometry: unknown
  readonly filter?: unknown
}

export interface OpportunityContext {
  readonly product: string
  readonly search: OpportunitySearchParameters
  readonly urls: StapiUrls
}

/** A page of opportunities, each with the link that orders it. */
export const toStapiOpportunityCollection = (
  opportunities: readonly TaskingOpportunity[],
  context: OpportunityContext,
  links: readonly StapiLinkObject[],
) => ({
  type: 'FeatureCollection',
  stapi_type: 'OpportunityCollection',
  stapi_version: stapiVersion,
  features: opportunities.map((opportunity) => toOpportunity(opportunity, context)),
  links: [createOrderLink(context, context.search), ...links],
})

function toOpportunity(opportunity: TaskingOpportunity, context: OpportunityContext) {
  const datetime = `${opportunity.acquisitionStart}/${opportunity.acquisitionEnd}`
  const body = { ...context.search, order_parameters: { opportunityId: opportunity.id } }
  return {
    type: 'Feature',
    stapi_type: 'Opportunity',
    stapi_version: stapiVersion,
    id: opportunity.id,
    bbox: geometryBounds(opportunity.footprint as unknown as AreaGeometry),
    geometry: opportunity.footprint,
    properties: {
      datetime,
      product_id: context.product,
      sensor: opportunity.sensor,
      ...withoutNulls({
        platform: opportunity.satellite,
        'view:off_nadir': opportunity.offNadirAngle,
        'view:azimuth': opportunity.viewAzimuth,
        'view:incidence_angle': opportunity.incidenceAngle,
        'view:sun_elevation': opportunity.sunElevation,
        'view:sun_azimuth': opportunity.sunAzimuth,
        'eo:cloud_cover': opportunity.cloudCover,
        probability: opportunity.probability,
        'service:conflict': opportunity.conflict,
        'service:cancel_by': opportunity.cancelBy,
      }),
      coverage: opportunity.coverage,
      'service:price': { credits: opportunity.creditsPrice },
    },
    links: [createOrderLink(context, body)],
  }
}

const createOrderLink = ({ product, urls }: OpportunityContext, body: unknown): StapiLinkObject => ({
  rel: 'create-order',
  href: `${urls.product(product)}/orders`,
  type: stapiJsonMediaType,
  method: 'POST',
  body,
})

/** Removes null fields: values that a host does not predict are absent. */
const withoutNulls = (fields: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null))
