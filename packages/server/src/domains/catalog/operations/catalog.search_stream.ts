import { catalogSearchStreamOperation } from '@swath/contract/operations/catalog.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { createNdjsonResponse } from '../../../engine/operation-response.ts'
import { readRatesOfCaller } from '../../contracts/rates.ts'
import { requireImageryHost } from '../hosts.ts'
import { openSceneStream, streamSceneFeatures } from '../stream-search.ts'

export const handler = defineHandler(catalogSearchStreamOperation, async (call, input) => {
  const names = input.source_ids ?? (input.host_name ? [input.host_name] : null)
  const hosts = names
    ? [...new Set(names)].map((name) => requireImageryHost(call.integrations, name))
    : [...call.integrations.hosts.values()]
  const rates = await readRatesOfCaller(call)
  // An error after the first line could only abort the stream.
  const firstPages = await openSceneStream(call, hosts, { filters: input, products: rates.products })
  const limit = input.limit ?? Number.POSITIVE_INFINITY
  return createNdjsonResponse(streamSceneFeatures(call, firstPages, { filters: input, rates, limit }))
})
