import type { DescribedRoute } from './described-route.ts'
import { identityRoutes } from './identity/identity-routes.ts'
import { scimRoutes } from './identity/scim-routes.ts'
import { otherRoutes } from './other-routes.ts'
import { processesRoutes } from './processes/processes-routes.ts'
import { stapiRoutes } from './stapi/stapi-routes.ts'

/** Every route whose handler is not printed from the contract; a test compares them with those of the server. */
export const interfaceRoutes: readonly DescribedRoute[] = [
  ...processesRoutes,
  ...stapiRoutes,
  ...identityRoutes,
  ...scimRoutes,
  ...otherRoutes,
]
