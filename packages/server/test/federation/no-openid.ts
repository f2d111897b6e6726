import { OpenIdFailure, type OpenIdProviders } from '../../src/platform/integrations/openid/openid-types.ts'

const refuse = async (): Promise<never> => {
  throw new OpenIdFailure('This test has no provider.')
}

/** For tests without a provider. */
export const noOpenIdProviders: OpenIdProviders = {
  describe: refuse,
  createAuthorizationUrl: refuse,
  redeem: refuse,
  readLogoutToken: refuse,
}
