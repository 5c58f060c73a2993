import type { CodeChallengeMethod } from './enumerations.ts';

/** An https URL without query or fragment, with which a provider identifies itself (OpenID Connect Discovery section 2). */
export type Issuer = string;

/** An issuer, whose document is fetched, or a document. */
export type IssuerOrDiscovery = Issuer | DiscoveryDocument;

/** The endpoints of a provider by their names in its metadata. */
export interface ProviderMetadataEndpoints {
  issuer?: Issuer | undefined;
  authorization_endpoint: string;
  /** Missing only if just the implicit grant is used. */
  token_endpoint: string;
  userinfo_endpoint?: string | undefined;
  revocation_endpoint?: string | undefined;
  registration_endpoint?: string | undefined;
  end_session_endpoint?: string | undefined;
  introspection_endpoint?: string | undefined;
  device_authorization_endpoint?: string | undefined;
}

/**
 * The metadata of a provider, as received: no member is required, and a provider may add more.
 *
 * @see OpenID Connect Discovery 1.0 section 3, RFC 8414 section 2
 */
export interface ProviderMetadata extends Partial<ProviderMetadataEndpoints> {
  [name: string]: string | boolean | string[] | undefined;
  backchannel_logout_session_supported?: boolean | undefined;
  backchannel_logout_supported?: boolean | undefined;
  check_session_iframe?: string | undefined;
  claim_types_supported?: string[] | undefined;
  claims_locales_supported?: string[] | undefined;
  /** Default: `false`. */
  claims_parameter_supported?: boolean | undefined;
  claims_supported?: string[] | undefined;
  code_challenge_methods_supported?: CodeChallengeMethod[] | undefined;
  display_values_supported?: string[] | undefined;
  frontchannel_logout_session_supported?: boolean | undefined;
  frontchannel_logout_supported?: boolean | undefined;
  /** Default: `authorization_code` and `implicit`. */
  grant_types_supported?: string[] | undefined;
  /** `RS256` is always among them. */
  id_token_signing_alg_values_supported?: string[] | undefined;
  jwks_uri?: string | undefined;
  op_policy_uri?: string | undefined;
  op_tos_uri?: string | undefined;
  /** Default: `false`. */
  request_parameter_supported?: boolean | undefined;
  /** Default: `true`. */
  request_uri_parameter_supported?: boolean | undefined;
  /** Default: `false`. */
  require_request_uri_registration?: boolean | undefined;
  /** Default: `query` and `fragment`. */
  response_modes_supported?: string[] | undefined;
  /** `code`, `id_token` and `token id_token` are always among them. */
  response_types_supported?: string[] | undefined;
  scopes_supported?: string[] | undefined;
  service_documentation?: string | undefined;
  /** `pairwise` or `public`. */
  subject_types_supported?: string[] | undefined;
  /** Default: `client_secret_basic`. */
  token_endpoint_auth_methods_supported?: (
    | 'client_secret_post'
    | 'client_secret_basic'
    | 'client_secret_jwt'
    | 'private_key_jwt'
    | (string & {})
  )[];
  /** Language tags of BCP 47. */
  ui_locales_supported?: string[] | undefined;
}

/** The endpoints of a provider. Fetched by `fetchDiscoveryAsync`, or written by hand. */
export interface DiscoveryDocument {
  /** Where the user is sent to sign in. */
  authorizationEndpoint?: string | undefined;
  /** All of the provider's metadata. With it, `iss` and the id_token are checked against its issuer. */
  discoveryDocument?: ProviderMetadata | undefined;
  /** Where the user is sent to sign out. */
  endSessionEndpoint?: string | undefined;
  /** Registers clients (RFC 7591). */
  registrationEndpoint?: string | undefined;
  /** Revokes tokens (RFC 7009); some providers have none. */
  revocationEndpoint?: string | undefined;
  /** Exchanges a code or refresh token for tokens. Not used by the implicit grant. */
  tokenEndpoint?: string | undefined;
  /** Returns information about the signed-in user. */
  userInfoEndpoint?: string | undefined;
}
