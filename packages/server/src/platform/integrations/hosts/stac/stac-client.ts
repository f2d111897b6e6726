import { requestHostJson, type JsonExchangeOptions, type JsonRequest } from '../request-host-json.ts'

export interface StacRequest extends JsonRequest {
  readonly method: 'GET' | 'POST'
}

/** Requests JSON from one STAC API. */
export interface StacClient {
  /** The parsed body of a response with status 200. Throws `HostApiError`, or what the fetch throws. */
  request(request: StacRequest, signal?: AbortSignal): Promise<unknown>
}

export const createStacClient = (options: JsonExchangeOptions): StacClient => ({
  request: async (request, signal) => (await requestHostJson(request, { options, statuses: [200] }, signal)).json,
})
