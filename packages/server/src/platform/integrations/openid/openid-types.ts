/** The client of a provider. */
export interface OpenIdClient {
  readonly issuer: string
  readonly client_id: string
  /** Null for a public client. */
  readonly client_secret: string | null
  readonly scopes: readonly string[]
}

/** What one sign-in is bound to. */
export interface OpenIdLogin {
  readonly redirect_uri: string
  readonly state: string
  readonly nonce: string
  readonly code_verifier: string
}

/** What the user should see at the provider. */
export interface OpenIdHints {
  readonly login_hint: string
  /** True if the user should sign in again, also if the provider has a session. */
  readonly isAgain: boolean
}

/** What a provider says about who signed in, verified. */
export interface ProviderClaims {
  readonly issuer: string
  readonly subject: string
  readonly email: string | null
  /** Null if the provider does not say. */
  readonly email_verified: boolean | null
  readonly name: string | null
  readonly sid: string | null
  readonly amr: readonly string[]
  readonly acr: string | null
  /** All claims, for that with roles. */
  readonly all: Readonly<Record<string, unknown>>
}

/** What a provider publishes about itself. */
export interface OpenIdProviderMetadata {
  readonly issuer: string
  readonly authorization_endpoint: string | null
  readonly token_endpoint: string | null
  readonly has_userinfo: boolean
  readonly has_backchannel_logout: boolean
  readonly key_count: number
}

/** Whom a provider has signed out: a session, or all of a subject. */
export interface ProviderLogout {
  readonly issuer: string
  readonly sid: string | null
  readonly subject: string | null
}

/** The providers of organizations, as a client of theirs (OpenID Connect core 1.0). Each function may throw an `OpenIdFailure`. */
export interface OpenIdProviders {
  describe(client: OpenIdClient): Promise<OpenIdProviderMetadata>
  /** The URL at which the user signs in. */
  createAuthorizationUrl(client: OpenIdClient, login: OpenIdLogin, hints: OpenIdHints): Promise<string>
  /** Exchanges the code of a response for claims. */
  redeem(client: OpenIdClient, login: OpenIdLogin, parameters: URLSearchParams): Promise<ProviderClaims>
  /** Verifies a logout token (OpenID Connect back-channel logout 1.0). */
  readLogoutToken(client: OpenIdClient, token: string): Promise<ProviderLogout>
}

/** A provider cannot be reached, or its response is not valid. The message is a sentence for who set it up. */
export class OpenIdFailure extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'OpenIdFailure'
  }
}
