// Generated from the contract by `npm run generate`; do not edit.
import { readManifest } from './manifest-text.ts'

export interface AccountExport { format: 'swath-account'; version: 1; exported_at: string; profile: { id: string; email: string; name: string | null; language: 'en' | 'de' | 'fr'; time_zone: string; created_at: string }; second_factor: { totp_since: string | null; recovery_codes: number }; passkeys: Passkey[]; sessions: UserSession[]; consents: Consent[]; memberships: ({ organization_id: string; organization_name: string; role: 'owner' | 'admin' | 'billing' | 'member'; joined_at: string; projects: ProjectMembership[]; delegations: ({ kind: 'api_key' | 'tile_token' | 'share_link' | 'event_subscription' | 'webhook' | 'report_schedule' | 'saved_search' | 'standing_order' | 'alert_rule' | 'worker_token'; id: string; name: string; project_id: string | null; user_id: string | null; api_key_id: string | null; stop_reason: 'key_revoked' | 'key_expired' | 'user_left' | 'user_disabled' | 'no_access' | null; created_at: string })[]; personal_tokens: PersonalToken[]; notification_preferences: NotificationPreference[] })[]; email_changes: ({ old_email: string; new_email: string; requested_at: string; confirmed_at: string | null; undone_at: string | null })[]; audit_entries: AuditEntry[]; audit_complete: boolean }

export interface AlertEvent { id: string; rule_id: string; item_id: string | null; project_id: string; event_type: string; expression: string; statistic: 'mean' | 'median' | 'min' | 'max' | 'std' | 'p5' | 'p95' | 'valid_percent'; computed_value: number; threshold: number; threshold_upper: number | null; comparison: 'gt' | 'gte' | 'lt' | 'lte' | 'eq' | 'neq' | 'between' | 'outside'; picture_url: string | null; previous_item_id: string | null; previous_picture_url: string | null; acknowledged: boolean; acknowledged_by: string | null; acknowledged_at: string | null; created_at: string }

export interface AlertRule { id: string; organization_id: string; name: string; description: string | null; project_id: string | null; collection_id: string | null; event_types: string[]; expression: string; statistic: 'mean' | 'median' | 'min' | 'max' | 'std' | 'p5' | 'p95' | 'valid_percent'; aoi: ReportArea; comparison: 'gt' | 'gte' | 'lt' | 'lte' | 'eq' | 'neq' | 'between' | 'outside'; threshold: number; threshold_upper: number | null; hysteresis: number | null; asset_key: string; band_mapping: Record<string, number>; notification_channels: ('in_app' | 'webhook' | 'email')[]; active: boolean; cooldown_minutes: number; is_armed: boolean; last_triggered_at: string | null; created_by: string | null; created_at: string; updated_at: string }

export interface AnalyticsMethod { name: string; title: string; description: string; data_types: string[]; params_schema: Record<string, unknown>; result_schema: Record<string, unknown> }

export interface AnalyticsRaster { id: string; url: string; media_type: string; size_bytes: number; checksum_sha256: string; expires_at: string }

export interface AnalyticsSensor { name: string; title: string; reference: string; bands: ({ name: string; common_name: string | null; wavelength_um: number | null; center_wavelength_nm: number; bandwidth_nm: number; resolution_m: number })[] }

export interface ApiKey { id: string; prefix: string; name: string; permissions: string[]; rate_limit: number | null; spend_cap_credits: number | null; created_by: string | null; created_by_name: string | null; last_used_at: string | null; last_used_address: string | null; expires_at: string | null; revoked_at: string | null; created_at: string }

export interface ArchiveDownload { url: string; expires_in_seconds: number; file_name: string; file_count: number; files_bytes: number; media_type: 'application/zip' }

export type Area = Polygon | MultiPolygon

export interface Asset { id: string; media_type: string; roles: string[]; file_size_bytes: number | null; band_names: string[]; href: string; ready: boolean; item_id: string; key: string; title: string | null; checksum: string | null; metadata: Record<string, unknown>; created_at: string }

export interface AssetDownload { url: string; expires_in_seconds: number; asset_id: string; size_bytes: number | null; media_type: string }

export interface AuditEntry { id: string; organization_id: string; at: string; principal_kind: string; principal_id: string; operation: string; target_type: string | null; target_id: string | null; reason: string | null; request_id: string; address: string | null; outcome: 'succeeded' | 'replayed' | 'dry_run' | 'refused' | 'failed'; problem: string | null; position: number | null; hash: string | null }

export interface AuditExportLine { id: string; organization_id: string; at: string; principal_kind: string; principal_id: string; operation: string; target_type: string | null; target_id: string | null; reason: string | null; request_id: string; address: string | null; outcome: 'succeeded' | 'replayed' | 'dry_run' | 'refused' | 'failed'; problem: string | null; position: number; hash: string; previous_hash: string }

export interface AuditVerificationResult { organization_id: string; valid: boolean; entries: number; unsealed: number; head: { position: number; hash: string }; faults: ({ position: number | null; entry_id: string | null; fault: string })[] }

export interface AutoTopup { enabled: boolean; threshold_credits: number; topup_amount_credits: number; daily_charge_cap_aud: number | null; max_consecutive_declines: number; consecutive_declines: number; play_money?: boolean }

export interface BacktestResult { item_id: string; datetime: string | null; computed_value: number | null; outcome: 'triggered' | 'cooldown' | 'not_rearmed' | 'not_satisfied' | 'not_measured'; reason: string | null }

export interface Balance { organization_id: string; available_credits: number; held_credits: number; currency: 'AUD'; play_money?: boolean; lots: ({ id: string; kind: string; remaining_credits: number; expires_at: string | null })[] }

export interface BandFormula { id: string; organization_id: string; name: string; display_name: string | null; formula: string; description: string | null; required_bands: string[]; colormap: string; value_range: number[]; category: string; is_template: boolean; created_at: string; updated_at: string }

export interface BandFormulaTemplate { name: string; display_name: string | null; formula: string; description: string | null; required_bands: string[]; colormap: string; value_range: number[]; category: string }

export interface BandStatistics { min: number | null; max: number | null; mean: number | null; std: number | null; median: number | null; count: number; valid_percent: number; percentiles: Record<string, number>; histogram: { counts: number[]; edges: number[] } }

export interface BillingAddress { line1: string; line2?: string | null; city?: string | null; region?: string | null; postal_code?: string | null }

export interface BillingStatus { organization_id: string; status: 'active' | 'past_due' | 'suspended' | 'closed'; plan: 'free' | 'prepaid' | 'enterprise' | 'internal'; enterprise_billing: boolean; has_default_payment_method: boolean; past_due_since: string | null }

export interface Budget { id: string; kind: 'member' | 'project'; name: string; description: string | null; externalId: null; status: 'ACTIVE' | 'INACTIVE'; spendLimit: number | null; validityPeriod: { startDate: string; endDate: string } | null; consumedCredits?: number; remainingCredits?: number | null; usagePercentage?: number | null; createdBy: string; createdAt: string; updatedAt: string; play_money?: boolean }

export interface Bundle { id: string; accountId: string; workspaceId: string; name: string; title: string | null; tags: string[]; size: number; contentType: 'application/zip'; source: 'ARCHIVE' | 'TASKING' | 'PROCESSING' | 'USER'; orderId: string | null; productId: string | null; collectionName: string | null; producerName: string | null; geospatialMetadataExtractionStatus: 'SUCCESSFUL' | 'NOT_PROCESSED'; createdAt: string; updatedAt: string }

export interface CancelPolicy { cancellable_until: string; fee_pct: number }

export interface Capture { id: string; geometry: object; host?: string | null }

export interface CaptureError { id: string; host: string | null; code: 'unknown-host' | 'unknown-capture' | 'outside-footprint' | 'not-a-polygon' | 'duplicate' | 'already-held' | 'not-available'; message: string }

export type Captures = Capture[]

export interface CatalogCollection { id: string; title: string; data_type: string; render_strategy: string; access_model: string; gsd: number | null; render_params: Record<string, unknown> }

export interface CatalogFeature { type: 'Feature'; stac_version?: string; stac_extensions?: string[]; id: string; collection?: string | null; geometry: Geometry | null; bbox?: number[]; properties: Record<string, unknown>; assets?: Record<string, StacAsset>; links?: StacLink[]; 'service:price': ServicePrice | null; play_money?: boolean }

export interface CatalogSearchFilters { collections?: string[] | null; ids?: string[] | null; datetime?: string | null; bbox?: number[] | null; intersects?: Geometry | null; query?: Record<string, { GT?: number | string | null; GTE?: number | string | null; LT?: number | string | null; LTE?: number | string | null; EQ?: number | string | null; gt?: number | string | null; gte?: number | string | null; lt?: number | string | null; lte?: number | string | null; eq?: number | string | null }>; full_catalog?: boolean | null }

export interface CatalogSearchResult { type: 'FeatureCollection'; features: CatalogFeature[]; numberReturned: number; next?: string; play_money?: boolean }

export interface CatalogSource { id: string; title: string; description: string; access_model: string; scope: string; countries: string[]; attribution: string; license: string; license_url: string; status: 'available' | 'unavailable'; message: string | null; collections: CatalogCollection[] }

export interface ChargeExplanation { hold_id: string | null; billing_mode: 'credit' | 'card' | 'enterprise' | null; reference: { type: string; id: string }; operation: string | null; actor: string | null; created_at: string; lines: ChargeLine[]; total_credits: number; gst_credits: number | null; hold: { amount_credits: number; at: string } | null; settlement: { outcome: 'settled' | 'released' | 'expired'; settled_credits: number; released_credits: number; at: string } | null; entries: JournalEntry[]; sentence: string; play_money?: boolean }

export interface ChargeLine { product: string; description: string; unit: string; measured_quantity: number; minimum_quantity: number; charged_quantity: number; list_rate_credits: number; rate_credits: number; priced_on: string; discount_credits: number; amount_credits: number; settled_credits: number | null; commitment_id: string | null }

export interface Collection { id: string; project_id: string; name: string; description: string | null; color: string | null; show_on_map: boolean; layer_order: number; auto_created: boolean; source_type: string | null; source_id: string | null; item_count: number; deleted_at: string | null; created_at: string; updated_at: string }

export interface Commitment { id: string; organization_id: string; name: string; products: { product: string; negotiated_rate_aud: number; unit: string }[]; currency: 'AUD'; period_start: string; period_end: string; committed_aud: number; carried_in_aud: number; delivered_aud: number; remaining_aud: number; overage_aud: number; shortfall_aud: number; pace: number | null; status: 'scheduled' | 'active' | 'on_track' | 'at_risk' | 'met' | 'closed_met' | 'closed_shortfall' | 'invoiced'; version: number; closed_at: string | null; line_items?: CommitmentLine[] }

export interface CommitmentLine { at: string; product: string; order_id: string | null; quantity: number; unit: string; rate_aud: number; amount_aud: number; commitment_id: string | null }

export interface Consent { client_id: string; client_name: string; organization_id: string; scopes: string[]; created_at: string; updated_at: string }

export interface CurrentPrincipal { kind: 'human' | 'api_key' | 'service' | 'worker'; user: { id: string; email: string; name: string | null; language: 'en' | 'de' | 'fr'; time_zone: string; created_at: string } | null; sign_in: { methods: string[]; totp: boolean; passkeys: number; recovery_codes: number } | null; organization: { id: string; name: string; slug: string; plan: string; enterprise_billing: boolean; sandbox?: boolean; role: 'owner' | 'admin' | 'billing' | 'member' | null; delete_at: string | null } | null; scopes: string[]; caps: { per_order_limit_credits: number | null; spend_limit_credits: number | null } | null; wallet: { available_credits: number; held_credits: number; play_money?: boolean } | null; play_money?: boolean }

export interface DataProductEstimate { summary: { totalCredits: number; totalSize: number; unit: 'SQ_KM' }; results: { index: number; credits: number; size: number; unit: 'SQ_KM' }[]; errors: FeatureError[]; total_aud: number; total_credits: number; play_money?: boolean }

export interface DataProductSchema { data_product_id: string; schema: Record<string, unknown>; cancel_policy: CancelPolicy }

export interface DeadLetter { id: string; kind: string; organization_id: string | null; attempts: number; last_error: string; created_at: string }

export interface DeliveredEvent { event_id: string; event_type: string; timestamp: string; organization_id: string; entity_type: string; entity_id: string; data: Record<string, unknown>; sequence: number | null }

export interface DeliveryManifest { type: 'FeatureCollection'; order_id: string; collection_id: string | null; project_id: string; item_count: number; features: ({ type: 'Feature'; id: string; item_id: string; collection: string | null; geometry: Geometry | null; bbox: number[] | null; properties: { datetime: string | null; gsd: number | null }; stac_extensions: string[]; assets: Record<string, ManifestAsset> })[] }

export interface DryRun { entries: { organization_id: string; kind: string; amount_credits: number; available_after_credits: number; held_after_credits: number; postings: { account: string; amount_credits: number }[] }[] }

export interface EstimateLine { id: string; host: string; datetime: string; area_km2: number; minimum_km2: number; cancel_policy: CancelPolicy; held_licence: string | null; credits: number; aud: number; licences: string[] }

export interface Eula { id: string; name: string; title: string; providers: string[]; currentDocumentId: string | null; isAccepted: boolean; createdAt: string; updatedAt: string }

export interface EulaAcceptance { id: string; eulaId: string; documentId: string; title: string; version: string; contentSha256: string; isAccepted: boolean; actorKind: string; actorId: string; createdAt: string }

export interface EulaDocument { id: string; eulaId: string; version: string; language: string; content: string; mediaType: string; validFrom: string; isAccepted: boolean; acceptedAt: string | null; acceptedBy: string | null }

export interface Event { event_id: string; event_type: string; timestamp: string; organization_id: string; entity_type: string; entity_id: string; data: Record<string, unknown> }

export interface EventDelivery { id: string; subscription_id: string; event_id: string; event_type: string; entity_type: string; entity_id: string; state: 'pending' | 'delivering' | 'succeeded' | 'retrying' | 'dead' | 'cancelled'; attempts: number; sequence: number | null; next_attempt_at: string | null; finished_at: string | null; created_at: string }

export interface EventDeliveryAttempt { id: string; endpoint_url: string; delivered: boolean; http_status: number | null; error: string | null; response_headers: Record<string, string>; response_body: string | null; started_at: string; duration_ms: number }

export interface EventSubscription { id: string; organization_id: string; event_type: string; endpoint_url: string; filter_config: Record<string, unknown>; headers: Record<string, string>; description: string | null; active: boolean; secret: string; failing_since: string | null; held_until: string | null; disabled_reason: 'gone' | 'failing' | null; webhook_id: string | null; created_at: string; updated_at: string }

export interface EventTypeDescription { event_type: string; summary: string; category: string; data_schema: Record<string, unknown>; example: Record<string, unknown> }

export interface FeasibilityOption { id: string; description: string; acquisitionStart: string | null; acquisitionEnd: string | null; creditsPrice: number | null }

export interface FeasibilityStudy { id: string; orderId: string; workspaceId: string; accountId: string; createdAt: string; updatedAt: string; decision: 'NOT_DECIDED' | 'ACCEPTED' | 'EXPIRED' | 'WITHDRAWN'; type: 'AUTO' | 'MANUAL'; options: FeasibilityOption[]; decisionOption: { id: string; description: string } | null; decisionAt: string | null; decideBy: string | null }

export interface Feature { type: 'Feature'; id?: string | number; geometry: Geometry | null; properties: Record<string, unknown> | null }

export interface FeatureCollection { type: 'FeatureCollection'; features: Feature[] }

export interface FeatureError { index: number; message: string; details: string }

export interface FederatedSearchResult { type: 'FeatureCollection'; features: CatalogFeature[]; numberReturned: number; next?: string; sources: ({ source_id: string; title: string; count: number; error: string | null; elapsed_ms: number })[]; play_money?: boolean }

export type FreeText = string[] | string | null

export type Geometry = Point | MultiPoint | LineString | MultiLineString | Polygon | MultiPolygon | GeometryCollection

export interface GeometryCollection { type: 'GeometryCollection'; geometries: (Point | MultiPoint | LineString | MultiLineString | Polygon | MultiPolygon)[] }

export interface GlossaryCollection { name: string; title: string; description: string; type: 'ARCHIVE' | 'TASKING'; integrations: ('SEARCH_AVAILABLE' | 'QUICKLOOK_AVAILABLE' | 'PRICE_ESTIMATION_AVAILABLE')[]; providers: ({ name: string; title: string; description: string; roles: ('HOST' | 'PRODUCER')[] })[]; dataProducts: ({ id: string; name: string; title: string; description: string; eulaId: string | null })[]; metadata: { productType?: 'OPTICAL' | 'SAR' | 'ELEVATION'; resolutionClass?: 'VERY_HIGH' | 'HIGH' | 'MEDIUM' | 'LOW'; resolutionValue?: { minimum: number } }; createdAt: string | null }

export interface GlossaryDataProduct { id: string; name: string; title: string; description: string; eulaId: string | null; collection: string; host_name: string; licences: string[]; price: { unit: 'km2'; rate_credits: number; list_rate_credits: number; minimum_km2: number; valid_from: string | null; commitment_id: string | null } | null; createdAt: string | null }

export interface GlossaryProvider { name: string; title: string; description: string; roles: ('HOST' | 'PRODUCER')[]; createdAt: string | null }

export interface IdentityProvider { id: string; issuer: string; client_id: string; has_client_secret: boolean; scopes: string[]; domains: string[]; roles_claim: string | null; mappings: ProviderMapping[]; default_role: 'owner' | 'admin' | 'billing' | 'member'; mode: 'optional' | 'required'; email_trust: 'verified_claim' | 'domain'; just_in_time: boolean; emergency_access: string[]; redirect_uri: string; backchannel_logout_uri: string; created_at: string; updated_at: string }

export interface Invitation { id: string; email: string; role: 'owner' | 'admin' | 'billing' | 'member'; projects: ProjectMembership[]; state: 'pending' | 'accepted' | 'revoked' | 'expired'; invited_by: string; accepted_by: string | null; created_at: string; expires_at: string; sent_at: string | null; decided_at: string | null }

export interface Invoice { id: string; number: string | null; kind: 'invoice' | 'receipt' | 'credit_note'; purpose: 'billing' | 'play_money' | 'sandbox'; period: string | null; status: 'draft' | 'open' | 'paid' | 'uncollectible' | 'void'; currency: 'AUD'; total_aud: number; gst_aud: number | null; credited_aud: number; belongs_to_id: string | null; issued_at: string | null; due_at: string | null; paid_at: string | null; lines: ({ description: string; quantity: number; unit: string | null; unit_price_aud: number | null; amount_aud: number; order_id: string | null; scene_id: string | null; tax_code: 'S' | 'G' | 'O' })[]; payment: { method: 'card' | 'bank_transfer'; card_brand: string | null; card_last4: string | null; reference: string | null } | null }

export interface Item { id: string; project_id: string; collection_id: string | null; stac_id: string; type: 'satellite_capture' | 'derived_raster' | 'derived_vector' | 'clip' | 'user_raster' | 'user_vector' | 'external_reference'; geometry: Geometry | null; bbox: number[] | null; datetime: string | null; start_datetime: string | null; end_datetime: string | null; cloud_cover: number | null; gsd: number | null; name: string; description: string | null; properties: Record<string, unknown>; stac_extensions: string[]; lifecycle_state: 'active' | 'expiring' | 'archived' | 'expired' | 'deleted'; expires_at: string | null; archived_at: string | null; previous_version_id: string | null; duplicated_from_id: string | null; order_id: string | null; upload_id: string | null; job_id: string | null; deleted_at: string | null; created_by: string | null; created_at: string; updated_at: string }

export interface ItemLineage { item_id: string; parents: LineageNeighbor[]; children: LineageNeighbor[] }

export interface Job { id: string; organization_id: string; project_id: string; job_type_id: string; process_id: string; status: 'pending' | 'dispatched' | 'running' | 'completed' | 'failed' | 'cancelled'; settlement: 'reserved' | 'captured' | 'released'; input_params: Record<string, unknown>; target_collection_id: string | null; credits_held: number; credits_captured: number; progress: number; attempt: number; failure: { code: string; text: string } | null; item_ids: string[]; reused_job_id: string | null; worker: 'server' | 'external'; result_form: 'raw-value' | 'raw-reference' | 'document-value' | 'document-reference' | null; dismissed_at: string | null; created_by: string | null; created_at: string; started_at: string | null; finished_at: string | null; updated_at: string }

export interface JobDispatch { accepted: boolean; job_id: string; version: string; reason: string | null }

export interface JobEstimate { process_id: string; credits: number; aud: number; size: number; unit: string; memory_bytes: number; reused_job_id: string | null; play_money?: boolean }

export interface JobLogEntry { at: string; level: 'info' | 'warning' | 'error'; message: string }

export interface JobTileInfo { job_id: string; ready: boolean; item_ids: string[]; bounds: number[] | null; minzoom: number | null; maxzoom: number | null; tiles: string[] }

export interface JobType { id: string; name: string; title: string; description: string; category: string; process_id: string; input_schema: Record<string, unknown> }

export interface JournalEntry { organization_id: string; position: number; id: string; kind: string; amount_credits: number; available_after_credits: number; held_after_credits: number; reference_type: string; reference_id: string; hold_id: string | null; actor_kind: string; actor_id: string; operation: string; request_id: string; idempotency_key: string | null; note: string | null; created_at: string; postings: ({ account: string; lot_id: string | null; amount_credits: number })[]; hash: string }

export interface JournalExportLine { organization_id: string; position: number; id: string; kind: string; amount_credits: number; available_after_credits: number; held_after_credits: number; reference_type: string; reference_id: string; hold_id: string | null; actor_kind: string; actor_id: string; operation: string; request_id: string; idempotency_key: string | null; note: string | null; created_at: string; postings: ({ account: string; lot_id: string | null; amount_credits: number })[]; hash: string; previous_hash: string; play_money?: boolean }

export interface LedgerVerificationResult { organization_id: string; valid: boolean; entries: number; head: { position: number; hash: string }; faults: ({ position: number | null; entry_id: string | null; fault: string })[] }

export interface LineString { type: 'LineString'; coordinates: number[][] }

export interface Lineage { root: { entity_type: 'item' | 'order' | 'processing_job' | 'collection' | 'project' | 'share_link' | 'upload' | 'asset' | 'analytics_result' | 'api_call' | 'capture'; entity_id: string }; direction: 'up' | 'down' | 'both'; edges: ProvenanceEdge[]; nodes: ProvenanceNode[]; truncated: boolean }

export interface LineageNeighbor { entity_type: 'item' | 'order' | 'processing_job' | 'collection' | 'project' | 'share_link' | 'upload' | 'asset' | 'analytics_result' | 'api_call' | 'capture'; entity_id: string; relation: 'derived_from' | 'delivered_by' | 'produced_by' | 'uploaded_by' | 'shared_as' | 'duplicated_from'; deleted: boolean; created_at: string }

export interface Lot { id: string; kind: string; status: 'open' | 'empty' | 'expired'; priority: number; granted_credits: number; available_credits: number; held_credits: number; captured_credits: number; expired_credits: number; refunded_credits: number; expires_at: string | null; created_at: string }

export interface ManifestAsset { id: string; media_type: string; roles: string[]; file_size_bytes: number | null; band_names: string[]; href: string; ready: boolean }

export interface MeanUsageOfOperation { operation: string; call_count: number; failed_call_count: number; tile_count: number; compute_ms: number; mean_duration_ms: number }

export interface Member { user_id: string; email: string; name: string | null; role: 'owner' | 'admin' | 'billing' | 'member'; per_order_limit_credits: number | null; spend_limit_credits: number | null; created_at: string }

export interface MemberToken { id: string; name: string; prefix: string; organization_id: string; scopes: string[]; expires_at: string; revoked_at: string | null; last_used_at: string | null; last_used_address: string | null; created_at: string; user_id: string; user_email: string | null; user_name: string | null }

export interface MonthlyBillingRun { organization_id: string; period: string; invoice_id: string | null; trued_up_aud: number; expired_credits: number; granted_credits: number; already_done: boolean }

export interface MonthlyStatement { organization_id: string; period: string; currency: 'AUD'; lines: CommitmentLine[]; total_aud: number; committed_aud: number; closed: boolean }

export interface MultiLineString { type: 'MultiLineString'; coordinates: number[][][] }

export interface MultiPoint { type: 'MultiPoint'; coordinates: number[][] }

export interface MultiPolygon { type: 'MultiPolygon'; coordinates: number[][][][] }

export interface NewApiKey { id: string; key: string; prefix: string; name: string; permissions: string[]; rate_limit: number | null; spend_cap_credits: number | null; expires_at: string | null; created_at: string; play_money?: boolean }

export interface NewEventSubscription { id: string; organization_id: string; event_type: string; endpoint_url: string; filter_config: Record<string, unknown>; headers: Record<string, string>; description: string | null; active: boolean; secret: string; failing_since: string | null; held_until: string | null; disabled_reason: 'gone' | 'failing' | null; webhook_id: string | null; created_at: string; updated_at: string }

export interface NewPersonalToken { id: string; name: string; prefix: string; organization_id: string; scopes: string[]; expires_at: string; revoked_at: string | null; last_used_at: string | null; last_used_address: string | null; created_at: string; token: string }

export interface NewTileToken { id: string; item_id: string | null; collection_id: string | null; name: string; prefix: string; expires_at: string; created_at: string; token: string; urls: { tiles: string; tilejson: string; wmts: string } | null }

export interface NewWebhook { id: string; name: string; url: string; events: ('order.status' | 'job.status')[]; active: boolean; createdAt: string; updatedAt: string; secret: string }

export interface Notification { id: string; kind: string; title: string; body: string; link: string; project_id: string | null; entity_type: string | null; entity_id: string | null; read_at: string | null; created_at: string }

export interface NotificationPreference { kind: string; description: string; in_app: boolean; email: 'off' | 'immediate' | 'daily'; is_default: boolean }

export interface OAuthClient { client_id: string; name: string; type: 'confidential' | 'public'; redirect_uris: string[]; scopes: string[]; grants: ('authorization_code' | 'refresh_token' | 'device_code' | 'client_credentials')[]; home_url: string | null; logo_url: string | null; open_to_all: boolean; former_secret_expires_at: string | null; disabled_at: string | null; created_by: string; created_at: string; updated_at: string }

export interface OAuthClientWithSecret { client: OAuthClient; client_secret: string | null }

export interface Order { id: string; orderType: 'archive' | 'tasking'; billingMode: 'credit' | 'card' | 'enterprise'; currency: 'AUD'; totalAud: number; totalCredits: number; groups: PriceGroup[]; projectId: string; organizationId: string; status: 'CREATED' | 'BEING_PLACED' | 'PLACED' | 'PLACEMENT_FAILED' | 'BEING_FULFILLED' | 'FULFILLED' | 'FAILED_PERMANENTLY' | 'CANCELED'; subStatus: string | null; statusHistory: OrderStatusChange[]; failureReason: { code: string; text: string } | null; fulfillment: 'complete' | 'partial' | 'none' | null; displayName: string; tags: string[]; licenseType: string | null; dataProductId: string | null; cancellation: { is_cancellable: boolean; cancellable_until: string; fee_credits: number; cancel_by: string | null }; tasking: { acquisitionStart: string; acquisitionEnd: string; sensor: string | null; maxCloudCover: number | null; maxOffNadirAngle: number | null; minSunElevation: number | null; replan: boolean; areaCount: number; passes: ({ area: number; at: string; satellite: string | null; cloudCover: number | null; accepted: boolean | null })[]; geometry?: Area } | null; collectionId: string | null; captures: OrderCapture[]; captureCount: number; itemCount: number; creditsCaptured: number; creditsRefunded: number; createdBy: string | null; createdAt: string; updatedAt: string; play_money?: boolean }

export interface OrderAreas { type: 'FeatureCollection'; features: ({ type: 'Feature'; geometry: object | null; properties?: object | null })[] }

export interface OrderCapture { id: string; host: string; datetime: string; item_id: string; credits: number; deliveredAt: string | null; productVersion: number | null; geometry?: Record<string, unknown> }

export interface OrderCoverage { order_id: string; covered: { sqKmArea: number; percentage: number; geometry: Geometry | null }; remainder: { sqKmArea: number; percentage: number; geometry: Geometry | null } }

export interface OrderCoverageGroup { id: string; name: string | null; date: string; captures: string[]; item_ids: string[]; covered: { sqKmArea: number; percentage: number; geometry: Geometry | null }; remainder: { sqKmArea: number; percentage: number; geometry: Geometry | null } }

export interface OrderEstimate { groups: PriceGroup[]; lines: EstimateLine[]; errors: CaptureError[]; eulas: RequiredEula[]; total_aud: number; total_credits: number; play_money?: boolean }

export interface OrderQuote { quote_id: string; expires_at: string; groups: PriceGroup[]; lines: EstimateLine[]; eulas: RequiredEula[]; total_aud: number; total_credits: number; play_money?: boolean }

export interface OrderStatusChange { at: string; from: 'CREATED' | 'BEING_PLACED' | 'PLACED' | 'PLACEMENT_FAILED' | 'BEING_FULFILLED' | 'FULFILLED' | 'FAILED_PERMANENTLY' | 'CANCELED' | null; to: 'CREATED' | 'BEING_PLACED' | 'PLACED' | 'PLACEMENT_FAILED' | 'BEING_FULFILLED' | 'FULFILLED' | 'FAILED_PERMANENTLY' | 'CANCELED'; reason_code: string | null; reason_text: string | null; actor: string | null }

export interface OrderTimeline { order_id: string; entries: OrderTimelineEntry[]; next: { actor: 'customer' | 'host' | 'platform'; action: string; host_names: string[]; next_check_at: string | null } | null }

export interface OrderTimelineEntry { at: string; kind: 'status' | 'sub_status' | 'delivery'; status: 'CREATED' | 'BEING_PLACED' | 'PLACED' | 'PLACEMENT_FAILED' | 'BEING_FULFILLED' | 'FULFILLED' | 'FAILED_PERMANENTLY' | 'CANCELED'; sub_status: string | null; stapi_status: string; reason_code: string | null; reason_text: string | null; actor: string | null; capture_id: string | null; item_id: string | null }

export interface OrganizationDetails { id: string; name: string; country: string | null; abn: string | null; tax_number: string | null; billing_email: string | null; billing_address: Record<string, unknown> | null; purchase_order_number: string | null }

export interface OrganizationDomain { domain: string; state: 'pending' | 'verified' | 'lost'; record_name: string; record_value: string; created_at: string; verified_at: string | null; checked_at: string | null; problem: string | null }

export interface Passkey { id: string; name: string; synced: boolean; created_at: string; last_used_at: string | null }

export interface PaymentMethod { id: string; payment_method_id: string; kind: string; brand: string | null; last4: string | null; exp_month: number | null; exp_year: number | null; isDefault: boolean; created_at: string }

export interface PendingDecision { kind: 'feasibility' | 'quotation'; id: string; orderId: string; workspaceId: string; displayName: string; creditsPrice: number | null; decideBy: string | null; createdAt: string }

export interface PersonalToken { id: string; name: string; prefix: string; organization_id: string; scopes: string[]; expires_at: string; revoked_at: string | null; last_used_at: string | null; last_used_address: string | null; created_at: string }

export interface PlaceResult { kind: 'settlement' | 'region' | 'country' | 'position'; name: string; matched_name: string | null; country_code: string | null; country: string | null; population: number | null; lon: number; lat: number; bbox: number[] | null; reading: string | null }

export interface PlacedOrder { id: string; orderType: 'archive' | 'tasking'; billingMode: 'credit' | 'card' | 'enterprise'; currency: 'AUD'; totalAud: number; totalCredits: number; groups: PriceGroup[]; projectId: string; status: 'processing' | 'awaiting_data' }

export interface Plan { id: 'free' | 'prepaid' | 'enterprise' | 'internal'; title: string; description: string; monthly_credits: number; monthly_credits_expire_after_days: number | null; storage_quota_bytes: number | null; item_retention_days: number | null; concurrent_jobs: number | null; price_aud: number | null }

export interface Point { type: 'Point'; coordinates: number[] }

export interface Polygon { type: 'Polygon'; coordinates: number[][][] }

export interface PriceComparison { offers: ({ host_name: string; collection: string; title: string; gsd: number | null; scene_id: string; datetime: string; cloud_cover: number | null; covered_percent: number; scene_count: number; price: ServicePrice })[]; sources: ({ source_id: string; title: string; count: number; error: string | null; elapsed_ms: number })[]; play_money?: boolean }

export interface PriceGroup { captures: string[]; aoi_km2: number; credits: number; aud: number; date?: string | null }

export interface Process { id: string; title: string; description: string; version: string; category: string; inputs_schema: Record<string, unknown>; outputs: { name: string; media_type: string }[]; eulaId: string; pricing: { credits: number; unit: string } }

export interface ProcessorInvoice { id: string; number: string | null; status: string; currency: string; total_aud: number; hosted_url: string | null; pdf_url: string | null; created_at: string }

export interface Project { id: string; organization_id: string; name: string; description: string | null; region: string | null; storage_bucket: string | null; is_archived: boolean; created_at: string; updated_at: string }

export interface ProjectMember { project_id: string; user_id: string; email: string; name: string | null; role: 'owner' | 'admin' | 'editor' | 'viewer'; created_at: string }

export interface ProjectMembership { project_id: string; role: 'owner' | 'admin' | 'editor' | 'viewer' }

export interface ProjectMembershipInput { project_id: string; role?: 'owner' | 'admin' | 'editor' | 'viewer' | 'member' }

export type ProjectMembershipInputs = ProjectMembershipInput[]

export interface ProvenanceEdge { depth: number; src_type: 'item' | 'order' | 'processing_job' | 'collection' | 'project' | 'share_link' | 'upload' | 'asset' | 'analytics_result' | 'api_call' | 'capture'; src_id: string; dst_type: 'item' | 'order' | 'processing_job' | 'collection' | 'project' | 'share_link' | 'upload' | 'asset' | 'analytics_result' | 'api_call' | 'capture'; dst_id: string; relation: 'derived_from' | 'delivered_by' | 'produced_by' | 'uploaded_by' | 'shared_as' | 'duplicated_from'; invocation_id: string | null }

export interface ProvenanceNode { entity_type: 'item' | 'order' | 'processing_job' | 'collection' | 'project' | 'share_link' | 'upload' | 'asset' | 'analytics_result' | 'api_call' | 'capture'; entity_id: string; depth: number; deleted: boolean }

export interface ProviderMapping { value: string; role: 'owner' | 'admin' | 'billing' | 'member' | null; projects: ProjectMembership[] }

export interface ProviderMappingInput { value: string; role?: 'admin' | 'billing' | 'member' | null; projects?: ProjectMembershipInputs }

export interface ProviderTest { ok: boolean; issuer: string; authorization_endpoint: string | null; token_endpoint: string | null; has_userinfo: boolean; has_backchannel_logout: boolean; key_count: number; problems: string[] }

export interface Quotation { id: string; orderId: string; workspaceId: string; accountId: string; createdAt: string; updatedAt: string; decision: 'NOT_DECIDED' | 'ACCEPTED' | 'REJECTED' | 'EXPIRED' | 'SUPERSEDED'; creditsPrice: number; decisionAt: string | null; decideBy: string | null }

export interface RasterAnalysisResult { expression: string; statistics: BandStatistics; bounds: number[]; width: number; height: number; approximate: boolean; image: { media_type: string; base64: string } | null; raster: AnalyticsRaster | null }

export interface ReasonInput { reason?: string | null }

export interface Report { id: string; name: string; report_type: 'orders' | 'spending' | 'usage' | 'processing' | 'inventory' | 'area_monitoring'; project_id: string | null; area_name: string | null; from: string; to: string; schedule_id: string | null; files: ReportFile[]; created_at: string; expires_at: string }

export type ReportArea = Area | null

export interface ReportFile { format: 'pdf' | 'csv' | 'geojson'; media_type: string; size_bytes: number; checksum_sha256: string; url: string; expires_at: string }

export type ReportFormats = ('pdf' | 'csv' | 'geojson')[]

export interface ReportSchedule { id: string; name: string; report_type: 'orders' | 'spending' | 'usage' | 'processing' | 'inventory' | 'area_monitoring'; formats: ReportFormats; project_id: string | null; area: ReportArea; area_name: string | null; frequency: 'daily' | 'weekly' | 'monthly'; next_run_at: string | null; last_run_at: string | null; ended_reason: string | null; created_at: string }

export interface RequiredEula { eulaId: string; documentId: string; title: string; version: string; isAccepted: boolean }

export interface RoleChange { id: string; user_id: string; email: string; operator: boolean | null; clip_user: boolean | null; reason: string; status: 'pending' | 'approved' | 'rejected'; requested_by: string; requested_at: string; decided_by: string | null; decided_at: string | null; decision_reason: string | null; decided_alone: boolean }

export interface SavedSearch { id: string; name: string; project_id: string; source_ids: string[] | null; filters: CatalogSearchFilters; notify: boolean; sources: ({ source_id: string; last_run_at: string | null; error: string | null; next_run_at: string })[]; last_matched_at: string | null; created_by: string; created_at: string }

export interface SceneAreaScore { scene_id: string; collection: string; covered_percent: number; measured_percent: number; cloud_percent: number | null; haze_percent: number | null; source: 'cloud-mask' | 'brightness' | 'quicklook' | null; reason: string | null; scene_cloud_percent: number | null }

export interface SceneInfo { scene_id: string; bounds: number[]; minzoom: number; maxzoom: number; bands: ({ name: string; description: string | null })[]; dtype: string; nodata: number | null; crs: string; gsd: number | null }

export interface SceneVisualization { id: string; title: string; description: string; bands: string | null; expression: string | null; rescale: string | null; colormap: string | null }

export interface ScimToken { id: string; name: string; prefix: string; created_by: string; created_at: string; expires_at: string | null; last_used_at: string | null; revoked_at: string | null }

export interface ServicePrice { credits: number; aud?: number; unit?: 'km2'; rate_credits?: number; minimum_km2?: number; charged_km2?: number; product?: string; licences?: string[]; commitment_id?: string; list_rate_credits?: number }

export interface ShareLinkDetails { id: string; token: string | null; target_type: 'item' | 'collection'; target_id: string; permission: 'view' | 'download'; organization_id: string; project_id: string; expires_at: string; revoked_at: string | null; access_count: number; last_accessed_at: string | null; created_by: string | null; created_at: string; url: string | null; active: boolean; view_cap: number | null; cost_cap_credits: number | null; tile_count: number; download_count: number; sent_bytes: number; cost_credits: number; updated_at: string }

export interface ShareSession { token: string; expires_at: string; expires_in_seconds: number; permission: 'view' | 'download'; target_type: 'item' | 'collection'; tilejson_url: string; link_expires_at: string }

export interface SharedItem { id: string; name: string; description: string | null; type: 'satellite_capture' | 'derived_raster' | 'derived_vector' | 'clip' | 'user_raster' | 'user_vector' | 'external_reference'; datetime: string | null; start_datetime: string | null; end_datetime: string | null; geometry: Geometry | null; bbox: number[] | null; cloud_cover: number | null; gsd: number | null; attribution: string | null; assets: ({ id: string; key: string; title: string | null; media_type: string; roles: string[]; file_size_bytes: number | null; ready: boolean })[] }

export type SortBy = ({ field: string; direction?: 'asc' | 'desc' })[]

export interface SpectralIndex { name: string; title: string; description: string; category: string; formula: string; required_bands: string[]; value_range: number[]; colormap: string; sensors: string[]; needs_reflectance: boolean; reference: string }

export interface SpendLimits { user_id: string; per_order_limit_credits: number | null; spend_limit_credits: number | null; play_money?: boolean }

export interface SpendWindow { user_id: string; per_order_limit_credits: number | null; spend_limit_credits: number | null; window_days: 30; window_used_credits: number; remaining_credits: number | null; frees: { at: string; credits: number }[]; play_money?: boolean }

export interface SpendingForecast { organization_id: string; period: string; ends_at: string; measured_at: string; spent_credits: number; recent_days: number; credits_per_day: number; forecast_credits: number; forecast_aud: number; play_money?: boolean }

export interface StacAggregations { type: 'AggregationCollection'; aggregations: { name: string; data_type: string; value?: unknown; buckets?: { key: string; data_type: string; frequency: number; from?: unknown; to?: unknown }[]; overflow?: number }[]; links: StacLink[] }

export interface StacAsset { href: string; type?: string; title?: string; roles?: string[] }

export interface StacAvailableAggregations { type: 'AggregationCollection'; aggregations: ({ name: 'total_count' | 'datetime_min' | 'datetime_max' | 'datetime_frequency' | 'cloud_cover_frequency' | 'collection_frequency'; data_type: string; frequency_distribution_data_type?: string })[]; links: StacLink[] }

export type StacBbox = number[] | null

export interface StacCatalog { type: 'Catalog'; stac_version: '1.0.0'; id: string; title: string; description: string; conformsTo: string[]; links: StacLink[] }

export interface StacCollection { type: 'Collection'; stac_version: '1.0.0'; itemType?: 'feature'; id: string; title?: string; description: string; license: string; extent: { spatial: { bbox: number[][] }; temporal: { interval: ((string | null)[])[] } }; summaries?: Record<string, unknown>; links: StacLink[] }

export interface StacItem { type: 'Feature'; stac_version: '1.0.0'; stac_extensions: string[]; id: string; collection?: string | null; geometry: Geometry | null; bbox?: number[]; properties: Record<string, unknown>; assets: Record<string, StacAsset>; links: StacLink[] }

export interface StacLink { rel: string; href: string; type?: string; title?: string; method?: string; body?: Record<string, unknown>; merge?: boolean }

export interface StacQueryables { '$schema': string; '$id': string; type: 'object'; title: string; properties: Record<string, Record<string, unknown>>; additionalProperties: boolean }

export interface StacSearchResult { type: 'FeatureCollection'; features: StacItem[]; context: { returned: number; matched: number; page: number; pages: number }; numberMatched: number; numberReturned: number; links: StacLink[] }

export interface StandingOrder { id: string; name: string; saved_search_id: string; project_id: string; mode: 'buy' | 'ask'; data_product_id: string | null; license_type: string | null; max_credits_per_scene: number; max_credits_per_month: number; month_credits: number; status: 'active' | 'paused' | 'suspended'; status_reason: string | null; capped_until: string | null; created_by: string; created_at: string; updated_at: string; play_money?: boolean }

export interface StandingOrderScene { source_id: string; scene_id: string; acquired_at: string; status: 'pending' | 'proposed' | 'ordered' | 'rejected' | 'skipped'; reason: string | null; credits: number | null; order_id: string | null; created_at: string; updated_at: string }

export interface StorageCorrection { id: string; organization_id: string; asset_id: string | null; bytes_delta: number; reason: string; actor: string | null; created_at: string }

export interface StorageDrift { asset_id: string | null; object_path: string; journal_bytes: number; stored_bytes: number; kind: 'missing' | 'stale' | 'negative' | 'drift' }

export interface StorageReconciliationRun { id: string; organization_id: string; started_at: string; finished_at: string | null; journal_bytes: number; stored_bytes: number; drift_bytes: number; flagged: boolean }

export interface StuckWork { kind: 'task' | 'dead_task' | 'delivery' | 'job' | 'hold' | 'order' | 'upload' | 'upload_cleaning' | 'report_cleaning'; id: string; organization_id: string | null; organization_name: string | null; subject: string | null; reason: 'lease-ended' | 'failed-repeatedly' | 'waiting' | 'gave-up' | 'not-settled' | 'host-silent' | 'open-too-long' | 'stalled' | 'cleaning-overdue'; detail: string | null; stuck_since: string; age_s: number; actions: ('retry' | 'release' | 'cancel')[] }

export interface SupportAccess { id: string; organization_id: string; operator_id: string; operator_email: string; reason: string; hours: number; state: 'requested' | 'granted' | 'refused' | 'ended' | 'expired'; requested_at: string; decided_by: string | null; decided_at: string | null; expires_at: string; ended_by: string | null; ended_at: string | null }

export type TaskingGroups = ({ name?: string | null; geometry: object; dataProduct?: string | null; sensor?: string | null; acquisitionStart?: string | null; acquisitionEnd?: string | null; params?: object | null })[]

export interface TaskingOpportunity { id: string; acquisitionStart: string; acquisitionEnd: string; sensor: string; incidenceAngle: number | null; probability: number | null; maxCloudCover: number | null; creditsPrice: number | null; index: number; dataProduct: string; satellite: string | null; footprint: Area; swath: ReportArea; groundTrack: MultiLineString | null; offNadirAngle: number | null; viewAzimuth: number | null; sunElevation: number | null; sunAzimuth: number | null; coverage: number; cloudCover: number | null; conflict: string | null; cancelBy: string | null }

export interface TaskingProductDescription { id: string; name: string; title: string; description: string; workflow: 'direct' | 'study' | 'quotation'; rate_credits: number | null; minimum_km2: number; min_area_km2: number; max_area_km2: number; max_window_days: number; cancel_policy: { hours_before_acquisition: number | null; fee_pct: number } }

export interface TaskingSensor { id: string; title: string; provider: string; resolution: string; bands: string[]; data_products: string[]; params_schema: Record<string, unknown>; host: string; satellites: string[]; gsd_m: number; swath_km: number; max_off_nadir_deg: number; products: TaskingProductDescription[] }

export interface TaskingTemplate { id: string; name: string; description: string | null; capture_asap: boolean; resolution: string; sensor: string; capture_frequency: string; datum: string; file_format: string; has_control: boolean; max_cloud_coverage: number; max_nadir_angle: number; created_at: string; updated_at: string }

export interface TileJson { tilejson: '3.0.0'; name: string; description?: string; attribution?: string; scheme: 'xyz'; tiles: string[]; minzoom: number; maxzoom: number; bounds: number[]; center: number[]; legend?: { title: string; colormap: string | null; range: number[] | null; classes: ({ value: number; name: string | null; color: string })[] | null }; vector_layers?: { id: string; fields: Record<string, string>; minzoom: number; maxzoom: number }[] }

export interface TileToken { id: string; item_id: string | null; collection_id: string | null; name: string; prefix: string; expires_at: string; created_at: string; revoked_at: string | null }

export interface TopupApproval { id: string; organization_id: string; credits: number; aud: number; status: 'pending' | 'approved' | 'rejected' | 'expired' | 'charge_failed' | 'completed'; requested_by: string; decided_by: string | null; reason: string | null; expires_at: string; decided_at: string | null; created_at: string; play_money?: boolean }

export interface Transaction { id: string; created_at: string; reason: string; amount_credits: number; balance_after_credits: number; operation: string | null; actor: string | null; reference: { type: string; id: string } | null }

export interface Upload { id: string; organization_id: string; project_id: string; status: 'initiated' | 'uploading' | 'uploaded' | 'ingesting' | 'completed' | 'failed' | 'cancelled' | 'expired'; transfer_method: 'browser' | 'cli' | 'cloud_transfer'; file_count: number; total_bytes: number; reserved_bytes: number; bytes_uploaded: number; target_collection_id: string | null; target_item_id: string | null; asset_key: string | null; is_categorical: boolean; error_message: string | null; error_step: string | null; item_ids: string[]; files: UploadFile[]; expires_at: string | null; created_by: string | null; created_at: string; updated_at: string }

export interface UploadFile { file_name: string; object_path: string; status: 'expected' | 'verified' | 'ingested' | 'refused'; size_bytes: number | null; sha256: string | null; reason: string | null; notes: string[]; item_ids: string[]; parts: UploadPart[] }

export interface UploadPart { number: number; size_bytes: number; etag: string }

export interface Usage { organization_id: string; period: string; storage_bytes: number; storage_quota_bytes: number | null; metadata_bytes: number; reserved_bytes: number; egress_bytes: number; download_count: number; tile_count: number; job_count: number; order_count: number; credits_spent: number; call_count: number; failed_call_count: number; compute_ms: number; measured_at: string }

export interface UsageOfCaller { kind: string; id: string; call_count: number; failed_call_count: number; tile_count: number; compute_ms: number }

export interface UsageOfDay { day: string; call_count: number; failed_call_count: number; tile_count: number; compute_ms: number; egress_bytes: number }

export interface UsageOfOperation { operation: string; call_count: number; failed_call_count: number; tile_count: number; compute_ms: number }

export interface UserOrganization { id: string; name: string; slug: string; plan: string; status: 'active' | 'suspended'; role: 'owner' | 'admin' | 'billing' | 'member'; sandbox: boolean; current: boolean; default: boolean; delete_at: string | null; joined_at: string }

export interface UserSession { id: string; kind: 'browser' | 'application' | 'device' | 'password'; client_id: string | null; browser_session_id: string | null; organization_id: string | null; address: string | null; user_agent: string | null; methods: string[]; current: boolean; created_at: string; last_used_at: string; expires_at: string }

export interface Vendor { id: string; name: string; title: string; description: string; countries: string[]; products: string[] }

export interface Visualization { id: string; label: string; kind: 'rgb' | 'index' | 'elevation' | 'raw'; asset: string | null; bands: number[] | null; expression: string | null; colormap: string | null; rescale: string | null; is_default: boolean; category: string | null; description: string }

export interface VisualizationProfile { id: string; item_id: string; name: string; layer: 'sensor' | 'auto' | 'user'; type: 'rgb' | 'singleband' | 'multiband' | 'expression'; is_default: boolean; sort_order: number; config: Record<string, unknown>; asset_key: string | null; version: number; created_by: string | null; created_at: string; updated_at: string }

export interface Webhook { id: string; name: string; url: string; events: ('order.status' | 'job.status')[]; active: boolean; createdAt: string; updatedAt: string }

export interface WebhookEventDescription { name: 'order.status' | 'job.status'; title: string; category: string; description: string; documentation: string }

export interface WorkerAssignment { token: string; expires_at: string; sources: ({ item_id: string; asset_key: string; url: string; sha256: string | null })[]; outputs: { name: string; asset_key: string; object_path: string; upload_url: string }[] }

/** Input and output of every operation, by id. For NDJSON operations the output is the type of one line. */
export interface Operations {
  'admin.audit.list': { input: { organization_id?: string | null; principal_id?: string | null; operation?: string | null; target_type?: string | null; target_id?: string | null; outcome?: 'succeeded' | 'replayed' | 'dry_run' | 'refused' | 'failed' | null; problem?: string | null; from?: string | null; until?: string | null; limit?: number; next?: string | null }; output: { entries: AuditEntry[]; next?: string } }
  'admin.commitments.amend': { input: { organization_id: string; commitment_id: string; name?: string | null; period_end?: string | null; committed_aud?: number | null; products?: { product: string; unit?: 'km2'; negotiated_rate_aud: string }[] | null; reason?: string | null }; output: { commitment: Commitment; play_money?: boolean } }
  'admin.commitments.close_period': { input: { organization_id: string; commitment_id: string; reason?: string | null; max_credits?: number | null; dry_run?: boolean }; output: { commitment: Commitment; dry_run?: DryRun; play_money?: boolean } }
  'admin.commitments.create': { input: { organization_id: string; name: string; period_start: string; period_end: string; committed_aud: number; carried_in_aud?: number; products: { product: string; unit?: 'km2'; negotiated_rate_aud: string }[]; reason?: string | null }; output: { commitment: Commitment; play_money?: boolean } }
  'admin.credit_adjustments.approve': { input: { organization_id: string; adjustment_id: string; reason: string; max_credits?: number | null; dry_run?: boolean }; output: { id: string; organization_id: string; organization_name: string | null; amount_credits: number; reason: string; status: 'pending' | 'approved' | 'rejected'; requested_by: string; requested_at: string; decided_by: string | null; decided_at: string | null; decision_reason: string | null; transaction_id: string | null; dry_run?: DryRun; play_money?: boolean } }
  'admin.credit_adjustments.list': { input: { organization_id?: string | null; status?: 'pending' | 'approved' | 'rejected' | null; limit?: number; offset?: number }; output: { adjustments: ({ id: string; organization_id: string; organization_name: string | null; amount_credits: number; reason: string; status: 'pending' | 'approved' | 'rejected'; requested_by: string; requested_at: string; decided_by: string | null; decided_at: string | null; decision_reason: string | null; transaction_id: string | null })[]; limit: number; offset: number; total: number; play_money?: boolean } }
  'admin.credit_adjustments.reject': { input: { organization_id: string; adjustment_id: string; reason: string }; output: { id: string; organization_id: string; organization_name: string | null; amount_credits: number; reason: string; status: 'pending' | 'approved' | 'rejected'; requested_by: string; requested_at: string; decided_by: string | null; decided_at: string | null; decision_reason: string | null; transaction_id: string | null; play_money?: boolean } }
  'admin.credit_adjustments.request': { input: { organization_id: string; amount_credits: number; reason: string }; output: { id: string; organization_id: string; organization_name: string | null; amount_credits: number; reason: string; status: 'pending' | 'approved' | 'rejected'; requested_by: string; requested_at: string; decided_by: string | null; decided_at: string | null; decision_reason: string | null; transaction_id: string | null; play_money?: boolean } }
  'admin.data_products.list': { input: { limit?: number; offset?: number }; output: { data_products: ({ id: string; name: string; title: string; host_name: string; collection: string; price_product: string | null; version: number | null; terms: { is_available: boolean; minimum_km2: number | null; licences: string[]; eula_id: string | null; params: Record<string, { minimum?: number; maximum?: number; enum?: string[]; required?: boolean }> }; declared: { is_available: boolean; minimum_km2: number | null; licences: string[]; eula_id: string | null; params: Record<string, { minimum?: number; maximum?: number; enum?: string[]; required?: boolean }> }; next_effective_from: string | null })[]; limit: number; offset: number; total: number } }
  'admin.data_products.versions.approve': { input: { version_id: string; reason: string }; output: { id: string; version: number; effective_from: string; in_force: boolean; reason: string; status: 'pending' | 'approved' | 'rejected'; requested_by: string; requested_at: string; decided_by: string | null; decided_at: string | null; decision_reason: string | null; data_product_name: string; changes: { is_available?: boolean | null | null; minimum_km2?: number | null | null; licences?: string[] | null | null; eula_id?: string | null | null; params?: Record<string, { minimum?: number; maximum?: number; enum?: string[]; required?: boolean }> | null | null }; needs_approval: boolean } }
  'admin.data_products.versions.create': { input: { data_product_name: string; is_available?: boolean | null | null; minimum_km2?: number | null | null; licences?: string[] | null | null; eula_id?: string | null | null; params?: Record<string, { minimum?: number; maximum?: number; enum?: string[]; required?: boolean }> | null | null; effective_from: string; reason: string }; output: { id: string; version: number; effective_from: string; in_force: boolean; reason: string; status: 'pending' | 'approved' | 'rejected'; requested_by: string; requested_at: string; decided_by: string | null; decided_at: string | null; decision_reason: string | null; data_product_name: string; changes: { is_available?: boolean | null | null; minimum_km2?: number | null | null; licences?: string[] | null | null; eula_id?: string | null | null; params?: Record<string, { minimum?: number; maximum?: number; enum?: string[]; required?: boolean }> | null | null }; needs_approval: boolean } }
  'admin.data_products.versions.list': { input: { data_product_name?: string | null; status?: 'pending' | 'approved' | 'rejected' | null; limit?: number; offset?: number }; output: { versions: ({ id: string; version: number; effective_from: string; in_force: boolean; reason: string; status: 'pending' | 'approved' | 'rejected'; requested_by: string; requested_at: string; decided_by: string | null; decided_at: string | null; decision_reason: string | null; data_product_name: string; changes: { is_available?: boolean | null | null; minimum_km2?: number | null | null; licences?: string[] | null | null; eula_id?: string | null | null; params?: Record<string, { minimum?: number; maximum?: number; enum?: string[]; required?: boolean }> | null | null }; needs_approval: boolean })[]; limit: number; offset: number; total: number } }
  'admin.data_products.versions.reject': { input: { version_id: string; reason: string }; output: { id: string; version: number; effective_from: string; in_force: boolean; reason: string; status: 'pending' | 'approved' | 'rejected'; requested_by: string; requested_at: string; decided_by: string | null; decided_at: string | null; decision_reason: string | null; data_product_name: string; changes: { is_available?: boolean | null | null; minimum_km2?: number | null | null; licences?: string[] | null | null; eula_id?: string | null | null; params?: Record<string, { minimum?: number; maximum?: number; enum?: string[]; required?: boolean }> | null | null }; needs_approval: boolean } }
  'admin.dead_letters.list': { input: { organization_id?: string | null; limit?: number }; output: { dead_letters: ({ id: string; source: 'queue' | 'billing'; task: string; organization_id: string | null; organization_name: string | null; subject: string | null; error: string; failed_at: string })[] } }
  'admin.dead_letters.retry': { input: { dead_letter_id: string; reason: string }; output: { id: string; retried: boolean } }
  'admin.feature_flags.list': { input: Record<string, never>; output: { feature_flags: ({ flag: 'zarr_conversion'; owner: string; description: string; percent: number; default_percent: number; updated_at: string | null; organizations: ({ organization_id: string; organization_name: string | null; enabled: boolean; updated_at: string })[] })[] } }
  'admin.feature_flags.set': { input: { flag: 'zarr_conversion'; percent?: number | null; organization_id?: string | null; enabled?: boolean | null; reason: string }; output: { flag: 'zarr_conversion'; owner: string; description: string; percent: number; default_percent: number; updated_at: string | null; organizations: ({ organization_id: string; organization_name: string | null; enabled: boolean; updated_at: string })[] } }
  'admin.invoices.credit': { input: { organization_id: string; invoice_id: string; amount_aud?: number | null; reason: string; max_credits?: number | null; dry_run?: boolean }; output: { credit_note: Invoice; invoice: Invoice; dry_run?: DryRun; play_money?: boolean } }
  'admin.invoices.mark_paid': { input: { organization_id: string; invoice_id: string; payment_reference?: string | null; reason?: string | null }; output: { invoice: Invoice; play_money?: boolean } }
  'admin.orgs.credit_adjust': { input: { organization_id: string; amount_credits: number; reason: string; max_credits?: number | null; dry_run?: boolean }; output: { transaction_id: string; organization_id: string; amount_credits: number; available_credits: number; dry_run?: DryRun; play_money?: boolean } }
  'admin.orgs.get': { input: { organization_id: string }; output: { id: string; name: string; plan: 'free' | 'prepaid' | 'enterprise' | 'internal'; status: 'active' | 'suspended' | 'deleted'; sandbox: boolean; created_at: string; delete_after: string | null; suspended_at: string | null; suspended_reason: string | null; slug: string; country: string | null; billing_email: string | null; member_count: number; available_credits: number; play_money?: boolean } }
  'admin.orgs.list': { input: { plan?: 'free' | 'prepaid' | 'enterprise' | 'internal' | null; status?: 'active' | 'suspended' | 'deleted' | null; search?: string | null; include_sandboxes?: boolean; limit?: number; offset?: number }; output: { organizations: ({ id: string; name: string; plan: 'free' | 'prepaid' | 'enterprise' | 'internal'; status: 'active' | 'suspended' | 'deleted'; sandbox: boolean; created_at: string; delete_after: string | null; suspended_at: string | null; suspended_reason: string | null })[]; limit: number; offset: number; total: number } }
  'admin.orgs.resume': { input: { organization_id: string; reason: string }; output: { id: string; name: string; plan: 'free' | 'prepaid' | 'enterprise' | 'internal'; status: 'active' | 'suspended' | 'deleted'; sandbox: boolean; created_at: string; delete_after: string | null; suspended_at: string | null; suspended_reason: string | null } }
  'admin.orgs.set_plan': { input: { organization_id: string; plan: 'free' | 'prepaid' | 'enterprise' | 'internal'; reason: string }; output: { organization_id: string; plan: 'free' | 'prepaid' | 'enterprise' | 'internal'; previous_plan: 'free' | 'prepaid' | 'enterprise' | 'internal' } }
  'admin.orgs.suspend': { input: { organization_id: string; reason: string }; output: { id: string; name: string; plan: 'free' | 'prepaid' | 'enterprise' | 'internal'; status: 'active' | 'suspended' | 'deleted'; sandbox: boolean; created_at: string; delete_after: string | null; suspended_at: string | null; suspended_reason: string | null } }
  'admin.rate_cards.approve': { input: { rate_card_id: string; reason: string }; output: { id: string; version: number; effective_from: string; in_force: boolean; reason: string; status: 'pending' | 'approved' | 'rejected'; requested_by: string; requested_at: string; decided_by: string | null; decided_at: string | null; decision_reason: string | null; product: string; unit: 'km2'; rate_credits: number; rate_aud: number; minimum_km2: number | null; play_money?: boolean } }
  'admin.rate_cards.create': { input: { product: string; rate_aud: string; minimum_km2?: number | null; effective_from: string; reason: string }; output: { id: string; version: number; effective_from: string; in_force: boolean; reason: string; status: 'pending' | 'approved' | 'rejected'; requested_by: string; requested_at: string; decided_by: string | null; decided_at: string | null; decision_reason: string | null; product: string; unit: 'km2'; rate_credits: number; rate_aud: number; minimum_km2: number | null; play_money?: boolean } }
  'admin.rate_cards.list': { input: { product?: string | null; status?: 'pending' | 'approved' | 'rejected' | null; limit?: number; offset?: number }; output: { rate_cards: ({ id: string; version: number; effective_from: string; in_force: boolean; reason: string; status: 'pending' | 'approved' | 'rejected'; requested_by: string; requested_at: string; decided_by: string | null; decided_at: string | null; decision_reason: string | null; product: string; unit: 'km2'; rate_credits: number; rate_aud: number; minimum_km2: number | null })[]; limit: number; offset: number; total: number; play_money?: boolean } }
  'admin.rate_cards.reject': { input: { rate_card_id: string; reason: string }; output: { id: string; version: number; effective_from: string; in_force: boolean; reason: string; status: 'pending' | 'approved' | 'rejected'; requested_by: string; requested_at: string; decided_by: string | null; decided_at: string | null; decision_reason: string | null; product: string; unit: 'km2'; rate_credits: number; rate_aud: number; minimum_km2: number | null; play_money?: boolean } }
  'admin.role_changes.approve': { input: { role_change_id: string; reason: string }; output: RoleChange }
  'admin.role_changes.list': { input: { user_id?: string | null; status?: 'pending' | 'approved' | 'rejected' | null; limit?: number; offset?: number }; output: { role_changes: RoleChange[]; limit: number; offset: number; total: number } }
  'admin.role_changes.reject': { input: { role_change_id: string; reason: string }; output: RoleChange }
  'admin.stuck_work.cancel': { input: { kind: 'task' | 'dead_task' | 'delivery' | 'job' | 'hold' | 'order' | 'upload' | 'upload_cleaning' | 'report_cleaning'; work_id: string; organization_id?: string | null; reason: string }; output: { id: string; kind: 'task' | 'dead_task' | 'delivery' | 'job' | 'hold' | 'order' | 'upload' | 'upload_cleaning' | 'report_cleaning'; action: 'retry' | 'release' | 'cancel' } }
  'admin.stuck_work.list': { input: { kind?: 'task' | 'dead_task' | 'delivery' | 'job' | 'hold' | 'order' | 'upload' | 'upload_cleaning' | 'report_cleaning' | null; organization_id?: string | null; min_failures?: number; limit?: number }; output: { stuck_work: StuckWork[] } }
  'admin.stuck_work.release': { input: { kind: 'task' | 'dead_task' | 'delivery' | 'job' | 'hold' | 'order' | 'upload' | 'upload_cleaning' | 'report_cleaning'; work_id: string; organization_id?: string | null; reason: string }; output: { id: string; kind: 'task' | 'dead_task' | 'delivery' | 'job' | 'hold' | 'order' | 'upload' | 'upload_cleaning' | 'report_cleaning'; action: 'retry' | 'release' | 'cancel' } }
  'admin.stuck_work.retry': { input: { kind: 'task' | 'dead_task' | 'delivery' | 'job' | 'hold' | 'order' | 'upload' | 'upload_cleaning' | 'report_cleaning'; work_id: string; organization_id?: string | null; reason: string }; output: { id: string; kind: 'task' | 'dead_task' | 'delivery' | 'job' | 'hold' | 'order' | 'upload' | 'upload_cleaning' | 'report_cleaning'; action: 'retry' | 'release' | 'cancel' } }
  'admin.support_access.end': { input: { organization_id: string; access_id: string; reason: string }; output: SupportAccess }
  'admin.support_access.list': { input: { organization_id?: string | null; state?: 'requested' | 'granted' | 'refused' | 'ended' | 'expired' | null; limit?: number; offset?: number }; output: { support_accesses: SupportAccess[]; limit: number; offset: number; total: number } }
  'admin.support_access.request': { input: { organization_id: string; reason: string; hours?: number }; output: SupportAccess }
  'admin.tasking.order_transition': { input: { organization_id: string; order_id: string; transition: 'schedule' | 'task' | 'collect' | 'replan' | 'downlink' | 'process' | 'fail'; reason_code: string; reason: string }; output: { order_id: string; status: 'CREATED' | 'BEING_PLACED' | 'PLACED' | 'PLACEMENT_FAILED' | 'BEING_FULFILLED' | 'FULFILLED' | 'FAILED_PERMANENTLY' | 'CANCELED'; subStatus: string | null } }
  'admin.tasking.quotation_upload': { input: { organization_id: string; order_id: string; creditsPrice: number; decide_by?: string | null; reason: string }; output: { order_id: string; quotation: Quotation; play_money?: boolean } }
  'admin.tasking.study_upload': { input: { organization_id: string; order_id: string; options: ({ description: string; acquisitionStart?: string | null; acquisitionEnd?: string | null; creditsPrice?: number | null })[]; decide_by?: string | null; reason: string }; output: { order_id: string; study: FeasibilityStudy | null; play_money?: boolean } }
  'admin.users.disable': { input: { user_id: string; reason: string }; output: { id: string; email: string; name: string | null; organization_id: string | null; organization_name: string | null; organizations: { id: string; name: string }[]; administrator: boolean; clip_user: boolean; disabled_at: string | null; created_at: string } }
  'admin.users.enable': { input: { user_id: string; reason: string }; output: { id: string; email: string; name: string | null; organization_id: string | null; organization_name: string | null; organizations: { id: string; name: string }[]; administrator: boolean; clip_user: boolean; disabled_at: string | null; created_at: string } }
  'admin.users.impersonate': { input: { organization_id: string; user_id: string; reason: string; minutes?: number }; output: { impersonation_id: string; access_token: string; expires_at: string; user: { id: string; email: string; name: string | null; organization_id: string | null; organization_name: string | null; organizations: { id: string; name: string }[]; administrator: boolean; clip_user: boolean; disabled_at: string | null; created_at: string } } }
  'admin.users.list': { input: { organization_id?: string | null; email?: string | null; disabled?: boolean | null; limit?: number; offset?: number }; output: { users: ({ id: string; email: string; name: string | null; organization_id: string | null; organization_name: string | null; organizations: { id: string; name: string }[]; administrator: boolean; clip_user: boolean; disabled_at: string | null; created_at: string })[]; limit: number; offset: number; total: number } }
  'admin.users.reset_second_factor': { input: { user_id: string; reason: string }; output: { id: string; email: string; name: string | null; organization_id: string | null; organization_name: string | null; organizations: { id: string; name: string }[]; administrator: boolean; clip_user: boolean; disabled_at: string | null; created_at: string } }
  'admin.users.set_roles': { input: { user_id: string; operator?: boolean | null | null; clip_user?: boolean | null | null; reason: string }; output: RoleChange }
  'alerts.acknowledge_event': { input: { event_id: string }; output: { alert_event: AlertEvent } }
  'alerts.backtest_rule': { input: { rule_id: string; datetime?: string | null; limit?: number }; output: { rule_id: string; results: BacktestResult[]; evaluated_count: number; triggered_count: number; truncated: boolean } }
  'alerts.create_rule': { input: { name: string; description?: string | null; project_id?: string | null; collection_id?: string | null; event_types?: ('item.created' | 'item.updated')[]; expression: string; statistic?: 'mean' | 'median' | 'min' | 'max' | 'std' | 'p5' | 'p95' | 'valid_percent'; aoi?: Area | null; comparison: 'gt' | 'gte' | 'lt' | 'lte' | 'eq' | 'neq' | 'between' | 'outside' | '>' | '>=' | '<' | '<=' | '=' | '==' | '!='; threshold: number; threshold_upper?: number | null; hysteresis?: number | null; asset_key?: string; band_mapping?: Record<string, number>; notification_channels?: ('in_app' | 'webhook' | 'email')[]; cooldown_minutes?: number }; output: { alert_rule: AlertRule } }
  'alerts.delete_rule': { input: { rule_id: string }; output: { deleted: boolean } }
  'alerts.events.list': { input: { rule_id?: string | null; acknowledged?: boolean | null; limit?: number; offset?: number }; output: { alert_events: AlertEvent[]; limit: number; offset: number; total: number } }
  'alerts.rule.get': { input: { rule_id: string }; output: { alert_rule: AlertRule } }
  'alerts.rules.list': { input: { active?: boolean | null; collection_id?: string | null }; output: { alert_rules: AlertRule[]; limit: number; offset: number; total: number } }
  'alerts.test_rule': { input: { rule_id: string; item_id: string }; output: { computed_value: number; threshold: number; comparison: 'gt' | 'gte' | 'lt' | 'lte' | 'eq' | 'neq' | 'between' | 'outside'; would_trigger: boolean; expression: string; item_id: string } }
  'alerts.update_rule': { input: { rule_id: string; name?: string | null; description?: string | null; collection_id?: string | null; event_types?: ('item.created' | 'item.updated')[] | null; expression?: string | null; statistic?: 'mean' | 'median' | 'min' | 'max' | 'std' | 'p5' | 'p95' | 'valid_percent' | null; aoi?: Area | null; comparison?: 'gt' | 'gte' | 'lt' | 'lte' | 'eq' | 'neq' | 'between' | 'outside' | '>' | '>=' | '<' | '<=' | '=' | '==' | '!=' | null; threshold?: number | null; threshold_upper?: number | null; hysteresis?: number | null; asset_key?: string | null; band_mapping?: Record<string, number>; notification_channels?: ('in_app' | 'webhook' | 'email')[] | null; active?: boolean | null; cooldown_minutes?: number | null }; output: { alert_rule: AlertRule } }
  'analytics.band_math': { input: { cog_url: string; bbox: { west: number; south: number; east: number; north: number }; sensor: string; max_size?: number; output_format?: 'json' | 'png' | 'cog'; formula: string; colormap?: string; vmin?: number | null; vmax?: number | null }; output: RasterAnalysisResult }
  'analytics.calculate_index': { input: { cog_url: string; bbox: { west: number; south: number; east: number; north: number }; sensor: string; max_size?: number; output_format?: 'json' | 'png' | 'cog'; index_name: string; colormap?: string | null }; output: RasterAnalysisResult }
  'analytics.execute': { input: { operation: string; params: object }; output: { operation: string; result: Record<string, unknown> } }
  'analytics.index.get': { input: { index_name: string }; output: { index: SpectralIndex } }
  'analytics.indices.list': { input: { category?: string | null; sensor?: string | null }; output: { indices: SpectralIndex[]; limit: number; offset: number; total: number } }
  'analytics.operations.get': { input: { operation_name: string }; output: { operation: AnalyticsMethod } }
  'analytics.operations.list': { input: { data_type?: string | null }; output: { operations: AnalyticsMethod[]; limit: number; offset: number; total: number } }
  'analytics.sensors.list': { input: Record<string, never>; output: { sensors: AnalyticsSensor[]; limit: number; offset: number; total: number } }
  'analytics.validate_formula': { input: { formula: string; sensor: string }; output: { formula: string; sensor: string; valid: boolean; error: string | null; required_bands: string[]; available_bands: string[] } }
  'api_keys.create': { input: { name: string; permissions?: string[]; rate_limit?: number | null; spend_cap_credits?: number | null; expires_in_days?: number | null }; output: NewApiKey }
  'api_keys.list': { input: Record<string, never>; output: { api_keys: ApiKey[]; limit: number; offset: number; total: number; play_money?: boolean } }
  'api_keys.revoke': { input: { key_id: string }; output: { ok: boolean; id: string } }
  'assets.create': { input: { item_id: string; key: string; href: string; title?: string | null; description?: string | null; media_type?: string | null; roles?: string[] | null; read?: boolean; properties?: object | null }; output: Asset }
  'assets.delete': { input: { item_id: string; asset_id: string }; output: { id: string | null } }
  'assets.get': { input: { item_id: string; asset_id: string }; output: { asset: Asset; stac: Record<string, unknown> } }
  'assets.verify': { input: { item_id: string; asset_id: string }; output: { asset_id: string; intact: boolean; stored: boolean; size_bytes: { kept: number | null; found: number | null }; sha256: { kept: string | null; found: string | null } } }
  'band_formulas.create': { input: { name: string; formula: string; display_name?: string | null; description?: string | null; colormap?: string; value_range?: number[]; category?: string }; output: BandFormula }
  'band_formulas.delete': { input: { formula_id: string }; output: { ok: boolean; id: string } }
  'band_formulas.get': { input: { formula_id: string }; output: { band_formula: BandFormula } }
  'band_formulas.list': { input: { category?: string | null; include_templates?: boolean }; output: { band_formulas: BandFormula[]; limit: number; offset: number; total: number } }
  'band_formulas.update': { input: { formula_id: string; name?: string | null; formula?: string | null; display_name?: string | null; description?: string | null; colormap?: string | null; value_range?: number[] | null; category?: string | null }; output: BandFormula }
  'billing.approvals.approve': { input: { approval_id: string; max_credits?: number | null; dry_run?: boolean }; output: { id: string; organization_id: string; credits: number; aud: number; status: 'pending' | 'approved' | 'rejected' | 'expired' | 'charge_failed' | 'completed'; requested_by: string; decided_by: string | null; reason: string | null; expires_at: string; decided_at: string | null; created_at: string; dry_run?: DryRun; play_money?: boolean } }
  'billing.approvals.get': { input: { approval_id: string }; output: { approval: TopupApproval; play_money?: boolean } }
  'billing.approvals.list': { input: { status?: 'pending' | 'approved' | 'rejected' | 'expired' | 'charge_failed' | 'completed' | null }; output: { approvals: TopupApproval[]; limit: number; offset: number; total: number; play_money?: boolean } }
  'billing.approvals.reject': { input: { approval_id: string; reason?: string | null }; output: TopupApproval }
  'billing.approvals.request': { input: { credits: number; expiry_hours?: number | null }; output: TopupApproval }
  'billing.auto_topup.get': { input: Record<string, never>; output: { auto_topup: AutoTopup; daily_topup_limit_aud: number; play_money?: boolean } }
  'billing.budgets.get': { input: { budget_id: string; includeUsage?: boolean }; output: Budget }
  'billing.budgets.list': { input: { status?: string | null; includeUsage?: boolean; size?: number; page?: number; sort?: string }; output: { content: Budget[]; last: boolean; totalElements: number; totalPages: number; size: number; page: number; play_money?: boolean } }
  'billing.budgets.settings': { input: Record<string, never>; output: { enforcementEnabled: boolean; budgetSettingId: string } }
  'billing.budgets.usage': { input: { budget_id: string }; output: { budgetId: string; consumedCredits: number; play_money?: boolean } }
  'billing.charge.explain': { input: { order_id?: string | null; job_id?: string | null; hold_id?: string | null; transaction_id?: string | null }; output: ChargeExplanation }
  'billing.cleanup_deleted_orgs': { input: ReasonInput; output: { organization_ids: string[]; expired_credits: number; failures: { organization_id: string; error: string }[]; play_money?: boolean } }
  'billing.credits.balance': { input: Record<string, never>; output: Balance }
  'billing.credits.transactions': { input: { limit?: number; offset?: number; reason?: 'purchase' | 'auto_topup' | 'grant_signup' | 'grant_monthly' | 'grant_manual' | 'hold' | 'hold_increase' | 'capture' | 'release' | 'hold_expired' | 'accrue' | 'unaccrue' | 'true_up' | 'invoice' | 'payment' | 'refund' | 'expire' | 'adjust' | 'dispute_hold' | 'dispute_lost' | 'dispute_won' | 'tax' | null }; output: { transactions: Transaction[]; limit: number; offset: number; total: number; play_money?: boolean } }
  'billing.deletions.pending': { input: Record<string, never>; output: { organizations: { organization_id: string; name: string; created_at: string; delete_at: string }[]; limit: number; offset: number; total: number } }
  'billing.dlq.list_pending': { input: Record<string, never>; output: { dead_letters: DeadLetter[]; limit: number; offset: number; total: number } }
  'billing.dlq.replay': { input: { reason?: string | null; batch_size?: number }; output: { replayed_count: number; failed_count: number } }
  'billing.enterprise.accrual': { input: { organization_id: string; period?: string | null }; output: { accrual: { organization_id: string; period: string; total_aud: number; invoiced_aud: number; orders: ({ order_id: string; kind: string; amount_aud: number; reference: string | null; at: string })[]; true_ups: ({ commitment_id: string; amount_aud: number; reference: string | null; at: string })[] }; play_money?: boolean } }
  'billing.enterprise.mark_invoiced': { input: { reason?: string | null; organization_id: string; reference: string; period?: string | null; order_ids?: string[] | null; note?: string | null }; output: { organization_id: string; reference: string; marked_count: number; total_aud: number; play_money?: boolean } }
  'billing.forecast': { input: { organization_id: string }; output: SpendingForecast }
  'billing.free_tier.approve': { input: { reason?: string | null; organization_id: string; admin_user_id?: string | null }; output: { organization_id: string; granted_credits: number; play_money?: boolean } }
  'billing.free_tier.grant_all': { input: ReasonInput; output: { organization_count: number; granted_credits: number; failures: { organization_id: string; error: string }[]; play_money?: boolean } }
  'billing.free_tier.list_pending': { input: Record<string, never>; output: { organizations: { organization_id: string; name: string; created_at: string }[]; limit: number; offset: number; total: number } }
  'billing.free_tier.revoke': { input: { organization_id: string; reason?: string | null }; output: { organization_id: string; expired_credits: number; play_money?: boolean } }
  'billing.invoices.download': { input: { invoice_id: string; format?: 'pdf' | 'xml' | 'csv' }; output: Uint8Array }
  'billing.invoices.get': { input: { invoice_id: string }; output: { invoice: Invoice; play_money?: boolean } }
  'billing.invoices.list': { input: { limit?: number }; output: { invoices: Invoice[]; limit: number; offset: number; total: number; play_money?: boolean } }
  'billing.jobs.settle_unsettled': { input: { reason?: string | null; limit?: number; organization_id?: string | null; max_credits?: number | null; dry_run?: boolean }; output: { captured_count: number; released_count: number; job_ids: string[]; dry_run?: DryRun; play_money?: boolean } }
  'billing.ledger.export': { input: { format?: 'ndjson' | 'csv'; after?: number; limit?: number | null }; output: JournalExportLine }
  'billing.ledger.verify': { input: Record<string, never>; output: LedgerVerificationResult }
  'billing.lots.list': { input: { limit?: number; offset?: number }; output: { lots: Lot[]; limit: number; offset: number; total: number; play_money?: boolean } }
  'billing.plans.list': { input: Record<string, never>; output: { plans: Plan[]; limit: number; offset: number; total: number; play_money?: boolean } }
  'billing.reconciliation.backfill_missing': { input: { organization_id: string; reason?: string | null }; output: { organization_id: string; corrections: StorageCorrection[]; bytes_delta: number } }
  'billing.reconciliation.correct_drift': { input: { organization_id: string; bytes_delta: number; reason: string; asset_id?: string | null; max_credits?: number | null; dry_run?: boolean }; output: { organization_id: string; corrections: StorageCorrection[]; bytes_delta: number; dry_run?: DryRun; play_money?: boolean } }
  'billing.reconciliation.detect_drift': { input: { organization_id: string }; output: { drifts: StorageDrift[]; limit: number; offset: number; total: number } }
  'billing.reconciliation.list_corrections': { input: { organization_id?: string | null; limit?: number }; output: { corrections: StorageCorrection[]; limit: number; offset: number; total: number } }
  'billing.reconciliation.list_runs': { input: { organization_id?: string | null; flagged_only?: boolean; limit?: number }; output: { runs: StorageReconciliationRun[]; limit: number; offset: number; total: number } }
  'billing.reconciliation.remove_stale': { input: { organization_id: string; reason?: string | null }; output: { organization_id: string; corrections: StorageCorrection[]; bytes_delta: number } }
  'billing.reconciliation.run': { input: { reason?: string | null; organization_id: string; threshold_bytes?: number }; output: StorageReconciliationRun }
  'billing.reconciliation.run_all': { input: { reason?: string | null; threshold_bytes?: number }; output: { runs: StorageReconciliationRun[]; flagged_count: number } }
  'billing.reconciliation.zero_negative_nets': { input: { organization_id: string; reason?: string | null }; output: { organization_id: string; corrections: StorageCorrection[]; bytes_delta: number } }
  'billing.refunds.request': { input: { topup_id: string; credits?: number | null; reason?: string | null; max_credits?: number | null; dry_run?: boolean }; output: { id: string; topup_id: string; credits: number; aud: number; status: 'pending'; reason: string | null; created_at: string; dry_run?: DryRun; play_money?: boolean } }
  'billing.run_monthly_cron': { input: { reason?: string | null; max_credits?: number | null; dry_run?: boolean }; output: { runs: MonthlyBillingRun[]; failures: { organization_id: string; error: string }[]; dry_run?: DryRun; play_money?: boolean } }
  'billing.run_monthly_for_org': { input: { organization_id: string; max_credits?: number | null; dry_run?: boolean }; output: { organization_id: string; period: string; invoice_id: string | null; trued_up_aud: number; expired_credits: number; granted_credits: number; already_done: boolean; dry_run?: DryRun; play_money?: boolean } }
  'billing.set_auto_topup': { input: { enabled: boolean; threshold_credits: number; topup_amount_credits: number; daily_charge_cap_aud?: number | null }; output: AutoTopup }
  'billing.set_daily_topup_limit': { input: { daily_topup_limit_aud: number }; output: { daily_topup_limit_aud: number; play_money?: boolean } }
  'billing.status.get': { input: { organization_id: string }; output: { billing_status: BillingStatus } }
  'billing.stripe_invoices.list': { input: { limit?: number }; output: { invoices: ProcessorInvoice[]; limit: number; offset: number; total: number; play_money?: boolean } }
  'billing.topup': { input: { credits: number; payment_method_row_id?: string | null; max_credits?: number | null; dry_run?: boolean }; output: { id: string; status: string; credits: number; aud: number; balance: { available_credits: number; held_credits: number }; dry_run?: DryRun; play_money?: boolean } }
  'catalog.aoi_score': { input: { host_name: string; image_ids: string[]; geometry: Area }; output: { scores: SceneAreaScore[] } }
  'catalog.compare_prices': { input: { intersects: Area; collections?: string[] | null; datetime?: string | null; query?: Record<string, { GT?: number | string | null; GTE?: number | string | null; LT?: number | string | null; LTE?: number | string | null; EQ?: number | string | null; gt?: number | string | null; gte?: number | string | null; lt?: number | string | null; lte?: number | string | null; eq?: number | string | null }>; source_ids?: string[] | null; data_types?: string[] | null }; output: PriceComparison }
  'catalog.federated_search': { input: { collections?: string[] | null; ids?: string[] | null; datetime?: string | null; bbox?: number[] | null; intersects?: Geometry | null; query?: Record<string, { GT?: number | string | null; GTE?: number | string | null; LT?: number | string | null; LTE?: number | string | null; EQ?: number | string | null; gt?: number | string | null; gte?: number | string | null; lt?: number | string | null; lte?: number | string | null; eq?: number | string | null }>; full_catalog?: boolean | null; source_ids?: string[] | null; data_types?: string[] | null; limit?: number; next?: string | null }; output: FederatedSearchResult }
  'catalog.granule_points': { input: { collection: string; href: string; bbox: number[]; max_points?: number; clip_polygon?: ReportArea }; output: { points: number[][]; value_label: string; value_range: number[]; count: number; returned: number; subsampled: boolean } }
  'catalog.image.quicklook': { input: { host_name: string; image_id: string; format?: 'png' | 'jpeg' | null }; output: Uint8Array }
  'catalog.image.thumbnail': { input: { host_name: string; image_id: string; format?: 'png' | 'jpeg' | null }; output: Uint8Array }
  'catalog.info.landsat': { input: { scene_id: string }; output: { info: SceneInfo } }
  'catalog.info.naip': { input: { scene_id: string }; output: { info: SceneInfo } }
  'catalog.info.sample': { input: { provider: string; scene_id: string }; output: { info: SceneInfo } }
  'catalog.info.sentinel': { input: { scene_id: string }; output: { info: SceneInfo } }
  'catalog.places.search': { input: { query: string; limit?: number }; output: { places: PlaceResult[]; attribution: string } }
  'catalog.provider.samples': { input: { provider: string; limit?: number; offset?: number }; output: { samples: CatalogFeature[]; limit: number; offset: number; total: number; play_money?: boolean } }
  'catalog.providers.list': { input: Record<string, never>; output: { providers: Vendor[]; limit: number; offset: number; total: number } }
  'catalog.search': { input: { host_name: string; collections?: string[] | null; ids?: string[] | null; datetime?: string | null; bbox?: number[] | null; intersects?: Geometry | null; query?: Record<string, { GT?: number | string | null; GTE?: number | string | null; LT?: number | string | null; LTE?: number | string | null; EQ?: number | string | null; gt?: number | string | null; gte?: number | string | null; lt?: number | string | null; lte?: number | string | null; eq?: number | string | null }>; full_catalog?: boolean | null; limit?: number; next?: string | null }; output: CatalogSearchResult }
  'catalog.search.delete': { input: { search_id: string }; output: { ok: boolean; id: string } }
  'catalog.search.list': { input: { project_id?: string | null; limit?: number; offset?: number }; output: { searches: SavedSearch[]; limit: number; offset: number; total: number } }
  'catalog.search.save': { input: { name: string; project_id?: string | null; source_ids?: string[] | null; filters: CatalogSearchFilters; notify?: boolean }; output: SavedSearch }
  'catalog.search_stream': { input: { host_name?: string | null; collections?: string[] | null; ids?: string[] | null; datetime?: string | null; bbox?: number[] | null; intersects?: Geometry | null; query?: Record<string, { GT?: number | string | null; GTE?: number | string | null; LT?: number | string | null; LTE?: number | string | null; EQ?: number | string | null; gt?: number | string | null; gte?: number | string | null; lt?: number | string | null; lte?: number | string | null; eq?: number | string | null }>; full_catalog?: boolean | null; source_ids?: string[] | null; data_types?: string[] | null; limit?: number | null }; output: CatalogFeature }
  'catalog.sources.list': { input: { data_type?: string | null; scope?: string | null; country?: string | null }; output: { sources: CatalogSource[] } }
  'catalog.stac.collections.get': { input: { collection_name: string; base_url?: string }; output: StacCollection }
  'catalog.stac.collections.list': { input: { base_url?: string }; output: { collections: StacCollection[]; links: StacLink[] } }
  'catalog.stac.landing': { input: { base_url?: string }; output: StacCatalog }
  'catalog.stac.search': { input: { base_url?: string; collections?: string[] | null | string; ids?: string[] | null | string; datetime?: string | null; bbox?: number[] | null; intersects?: Geometry | null; query?: Record<string, { GT?: number | string | null; GTE?: number | string | null; LT?: number | string | null; LTE?: number | string | null; EQ?: number | string | null; gt?: number | string | null; gte?: number | string | null; lt?: number | string | null; lte?: number | string | null; eq?: number | string | null }>; full_catalog?: boolean | null; limit?: number; next?: string | null; link_method?: 'GET' | 'POST' | null }; output: { type: 'FeatureCollection'; features: CatalogFeature[]; numberReturned: number; links: StacLink[]; play_money?: boolean } }
  'catalog.tile.render': { input: { collection: string; scene_id: string; visualization: string; z: number; x: number; y: number; format: 'png' | 'jpeg' | 'jpg' | 'webp'; provider?: string | null; quality?: number | null; aoi_clip?: string | null; aoi_clip_body?: ReportArea; expression?: string | null; colormap?: string | null; rescale?: string | null; gamma?: number | null; stretch?: 'natural' | 'linear' | null; color_formula?: string | null }; output: Uint8Array }
  'catalog.vendors.list': { input: Record<string, never>; output: { vendors: Vendor[]; limit: number; offset: number; total: number } }
  'catalog.viz.landsat': { input: Record<string, never>; output: { visualizations: SceneVisualization[]; limit: number; offset: number; total: number } }
  'catalog.viz.naip': { input: Record<string, never>; output: { visualizations: SceneVisualization[]; limit: number; offset: number; total: number } }
  'clip.area.metadata': { input: { area: string }; output: { area: { area: string; title: string; description: string; geometry: Geometry | null; mosaic_types: string[] } } }
  'clip.area.mosaics': { input: { area: string }; output: { mosaics: ({ mosaic_type: string; title: string; datetime: string | null; gsd: number | null; band_names: string[] })[]; limit: number; offset: number; total: number } }
  'clip.areas.list': { input: Record<string, never>; output: { areas: ({ area: string; title: string; description: string; geometry: Geometry | null; mosaic_types: string[] })[]; limit: number; offset: number; total: number } }
  'clip.create_from_area': { input: { area: string; mosaic_types: string[]; aoi_geometry: Area; aoi_name?: string | null; project_id?: string | null; organization_id: string; reuse?: boolean; max_credits?: number | null; dry_run?: boolean }; output: { job: Job; dry_run?: DryRun; play_money?: boolean } }
  'clip.create_from_item': { input: { source_item_id: string; project_id?: string | null; aoi_geometry: Area; asset_keys?: string[] | null; output_name?: string | null; reuse?: boolean; max_credits?: number | null; dry_run?: boolean }; output: { job: Job; assets_to_clip: number; asset_keys: string[]; dry_run?: DryRun; play_money?: boolean } }
  'clip.job.delete': { input: { job_id: string }; output: { deleted: boolean; job_id: string } }
  'clip.job.download': { input: { job_id: string; mosaic_type: string; user_agent?: string | null; requester_ip?: string | null }; output: { url: string; expires_in_seconds: number; size_bytes: number | null; media_type: string } }
  'clip.job.downloads': { input: { job_id: string }; output: { downloads: ({ at: string; mosaic_type: string; actor: string | null; user_agent: string | null; requester_ip: string | null })[]; limit: number; offset: number; total: number } }
  'clip.job.get': { input: { job_id: string }; output: { job: Job; play_money?: boolean } }
  'clip.job.tile_info': { input: { job_id: string }; output: { tile_info: JobTileInfo } }
  'clip.jobs.list': { input: { organization_id: string; status?: string | null; limit?: number; offset?: number }; output: { jobs: Job[]; limit: number; offset: number; total: number; play_money?: boolean } }
  'cog.colormaps': { input: { format?: 'json' | 'png'; name?: string | null; width?: number; height?: number }; output: { colormaps: ({ name: string; kind: 'sequential' | 'diverging' | 'cyclic' | 'miscellaneous'; colors: string[] })[]; limit: number; offset: number; total: number } }
  'cog.formulas': { input: Record<string, never>; output: { formulas: BandFormulaTemplate[]; limit: number; offset: number; total: number } }
  'cog.statistics': { input: { url: string; geometry: Area; expression?: string | null; bands?: string | null; percentiles?: number[] }; output: { statistics: Record<string, BandStatistics>; approximate: boolean } }
  'cog.thumbnail': { input: { url: string; width?: number; height?: number }; output: Uint8Array }
  'cog.tile.render': { input: { url: string; z: number; x: number; y: number; format: 'png' | 'jpeg' | 'jpg' | 'webp'; expression?: string | null; bands?: string | null; rescale?: string | null; colormap?: string | null; gamma?: number | null; stretch?: 'natural' | 'linear' | null; color_formula?: string | null; quality?: number; aoi?: string | null; scale?: number }; output: Uint8Array }
  'cog.tile.terrain': { input: { url: string; z: number; x: number; y: number; invert?: boolean; aoi?: string | null; encoding?: 'mapbox' | 'terrarium'; missing?: 'zero' | 'transparent'; scale?: number }; output: Uint8Array }
  'collections.create': { input: { project_id: string; name: string; description?: string | null; color?: string | null; show_on_map?: boolean; layer_order?: number }; output: Collection }
  'collections.delete': { input: { project_id: string; collection_id: string }; output: { ok: boolean; id: string } }
  'collections.get': { input: { project_id: string; collection_id: string }; output: { collection: Collection } }
  'collections.list': { input: { project_id: string }; output: { collections: Collection[]; limit: number; offset: number; total: number } }
  'collections.restore': { input: { project_id: string; collection_id: string }; output: Collection }
  'collections.update': { input: { project_id: string; collection_id: string; name?: string | null; description?: string | null; color?: string | null; show_on_map?: boolean | null; layer_order?: number | null }; output: Collection }
  'eulas.acceptances.list': { input: { eula_id?: string | null; limit?: number; offset?: number }; output: { acceptances: EulaAcceptance[]; limit: number; offset: number; total: number } }
  'eulas.document.accept': { input: { eula_id: string; document_id: string; is_accepted?: boolean }; output: { document: EulaDocument } }
  'eulas.document.get': { input: { eula_id: string; document_id: string }; output: { document: EulaDocument } }
  'eulas.documents.list': { input: { eula_id: string; size?: number; page?: number; sort?: string }; output: { content: EulaDocument[]; last: boolean; totalElements: number; totalPages: number; size: number; page: number } }
  'eulas.get': { input: { eula_id: string }; output: { eula: Eula; isAccepted: boolean } }
  'eulas.list': { input: { term?: string | null; size?: number; page?: number; sort?: string }; output: { content: Eula[]; last: boolean; totalElements: number; totalPages: number; size: number; page: number } }
  'event_subscriptions.create': { input: { event_type: string; endpoint_url: string; filter_config?: object; headers?: Record<string, string>; description?: string | null }; output: NewEventSubscription }
  'event_subscriptions.create_many': { input: { event_types: string[]; endpoint_url: string; headers?: Record<string, string>; description?: string | null }; output: { secret: string; subscriptions: EventSubscription[] } }
  'event_subscriptions.delete': { input: { subscription_id: string }; output: { deleted: boolean } }
  'event_subscriptions.deliveries.get': { input: { delivery_id: string }; output: { delivery: EventDelivery; payload: DeliveredEvent; attempts: EventDeliveryAttempt[] } }
  'event_subscriptions.deliveries.list': { input: { subscription_id: string; state?: 'pending' | 'delivering' | 'succeeded' | 'retrying' | 'dead' | 'cancelled' | null; limit?: number; next?: string | null }; output: { deliveries: EventDelivery[]; next?: string } }
  'event_subscriptions.deliveries.redeliver': { input: { delivery_id: string }; output: { delivery: EventDelivery } }
  'event_subscriptions.deliveries.replay_window': { input: { subscription_id: string; since: string; until?: string | null; include_delivered?: boolean }; output: { replayed_count: number; has_more: boolean } }
  'event_subscriptions.get': { input: { subscription_id: string }; output: { subscription: EventSubscription } }
  'event_subscriptions.list': { input: { event_type?: string | null; active?: boolean | null }; output: { subscriptions: EventSubscription[]; limit: number; offset: number; total: number } }
  'event_subscriptions.rotate_secret': { input: { subscription_id: string; overlap_hours?: number }; output: { id: string; organization_id: string; event_type: string; endpoint_url: string; filter_config: Record<string, unknown>; headers: Record<string, string>; description: string | null; active: boolean; secret: string; failing_since: string | null; held_until: string | null; disabled_reason: 'gone' | 'failing' | null; webhook_id: string | null; created_at: string; updated_at: string; previous_secret_expires_at: string | null } }
  'event_subscriptions.test': { input: { subscription_id: string }; output: { status: 'delivered' | 'failed'; delivered: boolean; http_status: number | null; error: string | null; event_id: string; event_type: string; headers: Record<string, string>; payload: Record<string, unknown> } }
  'event_subscriptions.update': { input: { subscription_id: string; endpoint_url?: string | null; filter_config?: object | null; headers?: Record<string, string>; active?: boolean | null; description?: string | null }; output: EventSubscription }
  'event_types.list': { input: Record<string, never>; output: { event_types: EventTypeDescription[] } }
  'events.list': { input: { event_type?: string | null; entity_type?: string | null; entity_id?: string | null; order?: 'newest' | 'oldest'; limit?: number; next?: string | null }; output: { events: Event[]; next?: string } }
  'events.stream': { input: { event_type?: string | null; entity_type?: string | null; entity_id?: string | null; last_event_id?: string | null; max_seconds?: number }; output: Event }
  'glossary.collections.get': { input: { collection_name: string }; output: { collection: GlossaryCollection } }
  'glossary.collections.list': { input: { integrations?: string | null; type?: string | null; size?: number; page?: number; sort?: string | null }; output: { content: GlossaryCollection[]; last: boolean; totalElements: number; totalPages: number; size: number; page: number } }
  'glossary.data_products.get': { input: { data_product_name: string }; output: { data_product: GlossaryDataProduct; play_money?: boolean } }
  'glossary.data_products.list': { input: { dataProductId?: string | null; size?: number; page?: number; sort?: string | null }; output: { content: GlossaryDataProduct[]; last: boolean; totalElements: number; totalPages: number; size: number; page: number; play_money?: boolean } }
  'glossary.providers.get': { input: { provider_name: string }; output: { provider: GlossaryProvider } }
  'glossary.providers.list': { input: { size?: number; page?: number; sort?: string | null; role?: string | null }; output: { content: GlossaryProvider[]; last: boolean; totalElements: number; totalPages: number; size: number; page: number } }
  'items.asset.download': { input: { item_id: string; asset_id: string; again?: boolean }; output: AssetDownload }
  'items.batch_create': { input: { project_id: string; collection_id?: string | null; type?: 'satellite_capture' | 'derived_raster' | 'derived_vector' | 'clip' | 'user_raster' | 'user_vector' | 'external_reference'; features: object[] }; output: { created: number; refused: number; results: ({ index: number; stac_id: string | null; item_id: string | null; refusal: { problem: string; detail: string; errors?: { path: string; message: string }[] } | null })[] } }
  'items.batch_delete': { input: { item_ids: string[] }; output: { deleted: number; refused: number; results: ({ item_id: string; deleted: boolean; refusal: { problem: string; detail: string; errors?: { path: string; message: string }[] } | null })[] } }
  'items.bundles.download': { input: { bundle_id: string }; output: { url: string; expires_in_seconds: number; media_type: string } }
  'items.bundles.get': { input: { bundle_id: string }; output: Bundle }
  'items.bundles.list': { input: { createdAfter?: string | null; createdBefore?: string | null; workspaceId?: string | null; collectionNames?: string | null; producerNames?: string | null; tags?: string | null; sources?: string | null; search?: string | null; size?: number; page?: number; sort?: string }; output: { content: Bundle[]; last: boolean; totalElements: number; totalPages: number; size: number; page: number } }
  'items.bundles.update': { input: { bundle_id: string; title?: string | null; tags?: string[] | null }; output: Bundle }
  'items.create': { input: { project_id: string; name: string; type: 'satellite_capture' | 'derived_raster' | 'derived_vector' | 'clip' | 'user_raster' | 'user_vector' | 'external_reference'; stac_id?: string | null; collection_id?: string | null; description?: string | null; geometry?: Geometry | null; bbox?: number[] | null; datetime?: string | null; cloud_cover?: number | null; gsd?: number | null; start_datetime?: string | null; end_datetime?: string | null; properties?: object; stac_extensions?: string[]; order_id?: string | null; upload_id?: string | null; job_id?: string | null }; output: Item }
  'items.delete': { input: { item_id: string }; output: { ok: boolean; id: string } }
  'items.detect_asset_bands': { input: { item_id: string; asset_id: string }; output: { suggested_band_names: string[]; current_band_names: string[]; method: string } }
  'items.download': { input: { item_id: string }; output: ArchiveDownload }
  'items.duplicate': { input: { item_id: string; new_name?: string | null; target_collection_id?: string | null; target_project_id?: string | null }; output: Item }
  'items.expire_batch': { input: ReasonInput; output: { expired_count: number } }
  'items.features.list': { input: { item_id: string; asset_key?: string | null; bbox?: number[] | null; properties?: object | null; limit?: number; offset?: number }; output: { type: 'FeatureCollection'; features: Feature[]; limit: number; offset: number; total: number; numberMatched: number; numberReturned: number } }
  'items.get': { input: { item_id: string }; output: { item: Item } }
  'items.get_stac': { input: { item_id: string; base_url?: string | null }; output: StacItem }
  'items.lineage': { input: { item_id: string }; output: ItemLineage }
  'items.list': { input: { project_id: string; collection_id?: string | null; uncollected?: boolean; limit?: number; offset?: number }; output: { items: Item[]; limit: number; offset: number; total: number; next_offset: number | null } }
  'items.list_assets': { input: { item_id: string }; output: { assets: Asset[]; limit: number; offset: number; total: number } }
  'items.list_by_collection': { input: { collection_id: string; limit?: number; offset?: number }; output: { items: Item[]; limit: number; offset: number; total: number; next_offset: number | null } }
  'items.list_expiring': { input: { days?: number }; output: { items: Item[]; limit: number; offset: number; total: number } }
  'items.restore': { input: { item_id: string }; output: Item }
  'items.search': { input: { project_id: string; bbox?: number[] | null; datetime?: string | null; limit?: number; offset?: number; collections?: string[] | null; type?: 'satellite_capture' | 'derived_raster' | 'derived_vector' | 'clip' | 'user_raster' | 'user_vector' | 'external_reference' | null; query?: object | null; sortby?: SortBy; format?: 'stac' | null; base_url?: string | null }; output: { type: 'FeatureCollection'; features: (StacItem | Item)[]; numberMatched: number; next_offset: number | null } }
  'items.search_org': { input: { bbox?: number[] | null; datetime?: string | null; limit?: number; offset?: number; collections?: string[] | null; type?: 'satellite_capture' | 'derived_raster' | 'derived_vector' | 'clip' | 'user_raster' | 'user_vector' | 'external_reference' | null; query?: object | null; sortby?: SortBy; format?: 'stac' | null; base_url?: string | null }; output: { type: 'FeatureCollection'; features: (StacItem | Item)[]; numberMatched: number; next_offset: number | null } }
  'items.set_asset_band_names': { input: { item_id: string; asset_id: string; band_names: string[] }; output: { id: string } }
  'items.tile.histogram': { input: { item_id: string; profile?: string | null; asset_key?: string | null; expression?: string | null; bands?: string | null; bins?: number; range?: number[] }; output: { histograms: ({ name: string; band_name: string | null; counts: number[]; edges: number[] })[]; approximate: boolean } }
  'items.tile.line': { input: { item_id: string; coordinates: number[][]; samples?: number; profile?: string | null; asset_key?: string | null; expression?: string | null; bands?: string | null; scaled?: boolean }; output: { length_m: number; positions: { lon: number; lat: number; distance_m: number }[]; values: ({ name: string; band_name: string | null; unit: string | null; values: (number | null)[] })[] } }
  'items.tile.point': { input: { item_id: string; lon: number; lat: number; profile?: string | null; asset_key?: string | null; expression?: string | null; bands?: string | null; scaled?: boolean }; output: { lon: number; lat: number; values: ({ name: string; band_name: string | null; value: number | null; unit: string | null })[] } }
  'items.tile.preview': { input: { item_id: string; width?: number; height?: number; format?: 'png' | 'jpeg' | 'jpg' | 'webp'; profile?: string | null; asset_key?: string | null; expression?: string | null; bands?: string | null; rescale?: string | null; colormap?: string | null; gamma?: number | null; stretch?: 'natural' | 'linear' | null; color_formula?: string | null; quality?: number }; output: Uint8Array }
  'items.tile.render': { input: { item_id: string; z: number; x: number; y: number; format?: 'png' | 'jpeg' | 'jpg' | 'webp'; profile?: string | null; asset_key?: string | null; expression?: string | null; bands?: string | null; rescale?: string | null; colormap?: string | null; gamma?: number | null; stretch?: 'natural' | 'linear' | null; color_formula?: string | null; quality?: number; scale?: number }; output: Uint8Array }
  'items.tile.statistics': { input: { item_id: string; expression: string; asset_key?: string | null; profile?: string | null }; output: { expression: string; statistics: BandStatistics; approximate: boolean } }
  'items.tile.tilejson': { input: { item_id: string; profile?: string | null; asset_key?: string | null; format?: 'png' | 'jpeg' | 'jpg' | 'webp'; key?: string }; output: TileJson }
  'items.tile.token.create': { input: { item_id?: string | null; collection_id?: string | null; name?: string; expires_in_seconds?: number }; output: NewTileToken }
  'items.tile.token.list': { input: { item_id?: string | null; collection_id?: string | null }; output: { tokens: TileToken[]; limit: number; offset: number; total: number } }
  'items.tile.token.revoke': { input: { token_id: string }; output: { ok: boolean; id: string } }
  'items.tile.vector': { input: { item_id: string; z: number; x: number; y: number; asset_key?: string | null }; output: Uint8Array }
  'items.tile.wmts_capabilities': { input: { item_id: string; base_url: string; key?: string; profile?: string | null; asset_key?: string | null }; output: Uint8Array }
  'items.tile.wmts_get_tile': { input: { item_id: string; z: number; x: number; y: number; profile?: string | null; asset_key?: string | null; format?: 'png' | 'jpeg' | 'jpg' | 'webp' }; output: Uint8Array }
  'items.update': { input: { item_id: string; name?: string | null; collection_id?: string | null; description?: string | null; geometry?: Geometry | null; bbox?: number[] | null; datetime?: string | null; cloud_cover?: number | null; gsd?: number | null; properties?: object | null; lifecycle_state?: 'active' | 'expiring' | 'archived' | 'expired' | 'deleted' | null }; output: Item }
  'notifications.dismiss': { input: { notification_id: string }; output: { id: string } }
  'notifications.list': { input: { unread_only?: boolean; limit?: number; offset?: number }; output: { notifications: Notification[]; limit: number; offset: number; total: number } }
  'notifications.mark_all_read': { input: Record<string, never>; output: { marked_count: number } }
  'notifications.mark_read': { input: { notification_id: string }; output: { id: string } }
  'notifications.preferences.get': { input: Record<string, never>; output: { preferences: NotificationPreference[] } }
  'notifications.preferences.set': { input: { kind: 'alert' | 'order.fulfilled' | 'order.failed' | 'order.cancelled' | 'feasibility.answered' | 'quotation.requested' | 'saved_search.matched' | 'standing_order.proposed' | 'standing_order.cap_reached' | 'standing_order.suspended' | 'report.delivered' | 'upload.completed' | 'credits.low_balance' | 'credits.depleted' | 'credits.expiring' | 'topup.failed' | 'payment_method.expiring' | 'dispute.opened' | 'invoice.issued' | 'event_subscription.failing' | 'event_subscription.disabled' | 'invitation.accepted' | 'ownership.transferred' | 'support_access.requested' | 'delegations.stopped'; in_app?: boolean | null; email?: 'off' | 'immediate' | 'daily' | null }; output: { preference: NotificationPreference } }
  'notifications.unread_count': { input: Record<string, never>; output: { unread_count: number } }
  'oauth_clients.create': { input: { name: string; type: 'confidential' | 'public'; redirect_uris?: string[]; scopes: string[]; grants: ('authorization_code' | 'refresh_token' | 'device_code' | 'client_credentials')[]; home_url?: string | null; logo_url?: string | null; open_to_all?: boolean }; output: OAuthClientWithSecret }
  'oauth_clients.delete': { input: { client_id: string }; output: { ok: boolean; id: string } }
  'oauth_clients.get': { input: { client_id: string }; output: { client: OAuthClient } }
  'oauth_clients.list': { input: Record<string, never>; output: { clients: OAuthClient[]; limit: number; offset: number; total: number } }
  'oauth_clients.rotate_secret': { input: { client_id: string; overlap_hours?: number }; output: OAuthClientWithSecret }
  'oauth_clients.update': { input: { client_id: string; name?: string | null; redirect_uris?: string[] | null; scopes?: string[] | null; grants?: ('authorization_code' | 'refresh_token' | 'device_code' | 'client_credentials')[] | null; home_url?: string | null; logo_url?: string | null; open_to_all?: boolean | null; disabled?: boolean | null }; output: { client: OAuthClient } }
  'orders.archive.estimate': { input: { captures?: Captures; splitByDate?: boolean | null; exclude_owned?: boolean | null; licenseType?: string | null }; output: OrderEstimate }
  'orders.archive.place': { input: { captures?: Captures; projectId?: string | null; quote_id?: string | null; licenseType?: string | null; splitByDate?: boolean | null; exclude_owned?: boolean | null; max_credits?: number | null; dry_run?: boolean }; output: { id: string; orderType: 'archive' | 'tasking'; billingMode: 'credit' | 'card' | 'enterprise'; currency: 'AUD'; totalAud: number; totalCredits: number; groups: PriceGroup[]; projectId: string; status: 'processing' | 'awaiting_data'; dry_run?: DryRun; play_money?: boolean } }
  'orders.cancel': { input: { order_id: string; max_credits?: number | null; dry_run?: boolean }; output: { orderId: string; status: 'CREATED' | 'BEING_PLACED' | 'PLACED' | 'PLACEMENT_FAILED' | 'BEING_FULFILLED' | 'FULFILLED' | 'FAILED_PERMANENTLY' | 'CANCELED'; dry_run?: DryRun; play_money?: boolean } }
  'orders.coverage.get': { input: { order_id: string }; output: OrderCoverage }
  'orders.coverage.groups.list': { input: { order_id: string }; output: { groups: OrderCoverageGroup[]; limit: number; offset: number; total: number } }
  'orders.download': { input: { order_id: string }; output: ArchiveDownload }
  'orders.estimate': { input: { dataProduct: string; displayName?: string; params?: object; featureCollection?: OrderAreas | Record<string, never>; tags?: string[] | null; exclude_owned?: boolean | null; budgetId?: string | null }; output: DataProductEstimate }
  'orders.get': { input: { order_id: string }; output: Order }
  'orders.get_schema': { input: { data_product_id: string }; output: DataProductSchema }
  'orders.list': { input: { workspaceId?: string | null; type?: string | null; status?: string | null; subStatus?: string | null; displayName?: string | null; dataProductIds?: string | null; orderIds?: string | null; tags?: string | null; budgetIds?: string | null; include_areas?: boolean; size?: number; page?: number; sort?: string }; output: { content: Order[]; last: boolean; totalElements: number; totalPages: number; size: number; page: number; play_money?: boolean } }
  'orders.list_assets': { input: { order_id: string }; output: DeliveryManifest }
  'orders.place': { input: { workspaceId: string; dataProduct: string; displayName?: string; params?: object; featureCollection?: OrderAreas | Record<string, never>; tags?: string[] | null; exclude_owned?: boolean | null; budgetId?: string | null; quote_id?: string | null; partial?: boolean; max_credits?: number | null; dry_run?: boolean }; output: { results: { index: number; id: string }[]; errors: FeatureError[]; orders: PlacedOrder[]; dry_run?: DryRun; play_money?: boolean } }
  'orders.quote': { input: { captures?: Captures; splitByDate?: boolean | null; exclude_owned?: boolean | null; licenseType?: string | null; groups?: TaskingGroups; dataProduct?: string | null; template_id?: string | null; params?: object | null }; output: OrderQuote }
  'orders.reorder': { input: { order_id: string; projectId?: string | null; max_credits?: number | null; dry_run?: boolean }; output: { id: string; orderType: 'archive' | 'tasking'; billingMode: 'credit' | 'card' | 'enterprise'; currency: 'AUD'; totalAud: number; totalCredits: number; groups: PriceGroup[]; projectId: string; status: 'processing' | 'awaiting_data'; dry_run?: DryRun; play_money?: boolean } }
  'orders.standing.create': { input: { saved_search_id: string; name?: string | null; project_id?: string | null; mode: 'buy' | 'ask'; max_credits_per_scene: number; max_credits_per_month: number; data_product_id?: string | null; license_type?: string | null; max_credits?: number | null; dry_run?: boolean }; output: { id: string; name: string; saved_search_id: string; project_id: string; mode: 'buy' | 'ask'; data_product_id: string | null; license_type: string | null; max_credits_per_scene: number; max_credits_per_month: number; month_credits: number; status: 'active' | 'paused' | 'suspended'; status_reason: string | null; capped_until: string | null; created_by: string; created_at: string; updated_at: string; dry_run?: DryRun; play_money?: boolean } }
  'orders.standing.decide': { input: { standing_order_id: string; source_id: string; scene_id: string; decision: 'ACCEPTED' | 'REJECTED'; max_credits?: number | null; dry_run?: boolean }; output: { standing_order_id: string; source_id: string; scene_id: string; acquired_at: string; status: 'pending' | 'proposed' | 'ordered' | 'rejected' | 'skipped'; reason: string | null; credits: number | null; order_id: string | null; created_at: string; updated_at: string; dry_run?: DryRun; play_money?: boolean } }
  'orders.standing.delete': { input: { standing_order_id: string }; output: { ok: boolean; id: string } }
  'orders.standing.list': { input: { project_id?: string | null; limit?: number; offset?: number }; output: { standing_orders: StandingOrder[]; limit: number; offset: number; total: number; play_money?: boolean } }
  'orders.standing.scenes.list': { input: { standing_order_id: string; status?: 'pending' | 'proposed' | 'ordered' | 'rejected' | 'skipped' | null; limit?: number; offset?: number }; output: { scenes: StandingOrderScene[]; limit: number; offset: number; total: number; play_money?: boolean } }
  'orders.standing.update': { input: { standing_order_id: string; name?: string | null; mode?: 'buy' | 'ask' | null; max_credits_per_scene?: number | null; max_credits_per_month?: number | null; data_product_id?: string | null; license_type?: string | null; status?: 'active' | 'paused' | null }; output: StandingOrder }
  'orders.tasking.decisions.pending': { input: { workspaceId?: string | null; size?: number; page?: number; kinds?: string | null }; output: { content: PendingDecision[]; last: boolean; totalElements: number; totalPages: number; size: number; page: number; play_money?: boolean } }
  'orders.tasking.estimate': { input: { groups?: TaskingGroups }; output: { groups: ({ index: number; name: string | null; aoi_km2: number; credits: number; aud: number })[]; errors: { index: number; code: string; message: string }[]; totalAud: number; totalCredits: number; play_money?: boolean } }
  'orders.tasking.feasibility_check': { input: { dataProduct: string; displayName?: string | null; featureCollection?: FeatureCollection | Record<string, never>; params?: object | null }; output: { feasible: boolean; reasons: string[]; opportunities: TaskingOpportunity[]; play_money?: boolean } }
  'orders.tasking.feasibility_decide': { input: { study_id: string; acceptedOptionId: string; max_credits?: number | null; dry_run?: boolean }; output: { study: FeasibilityStudy; dry_run?: DryRun; play_money?: boolean } }
  'orders.tasking.feasibility_studies.list': { input: { id?: string | null; workspaceId?: string | null; orderId?: string | null; decision?: string | null; size?: number; page?: number; sort?: string }; output: { content: FeasibilityStudy[]; last: boolean; totalElements: number; totalPages: number; size: number; page: number; play_money?: boolean } }
  'orders.tasking.groups.list': { input: { order_id: string; organization_id?: string | null }; output: { groups: ({ id: string; name: string | null; geometry: Area; subStatus: string; item_ids: string[]; host: string; acquisitionStart: string; acquisitionEnd: string; plannedAt: string | null; creditsPrice: number; collects: Record<string, unknown>[]; failureReason: string | null })[]; limit: number; offset: number; total: number; play_money?: boolean } }
  'orders.tasking.opportunities_list': { input: { dataProduct: string; displayName?: string | null; featureCollection?: FeatureCollection | Record<string, never>; params?: object | null }; output: { opportunities: TaskingOpportunity[]; limit: number; offset: number; total: number; play_money?: boolean } }
  'orders.tasking.place': { input: { workspaceId?: string | null; groups?: TaskingGroups; dataProduct?: string | null; template_id?: string | null; params?: object | null; quote_id?: string | null; displayName?: string; tags?: string[] | null; max_credits?: number | null; dry_run?: boolean }; output: { id: string; orderType: 'archive' | 'tasking'; billingMode: 'credit' | 'card' | 'enterprise'; currency: 'AUD'; totalAud: number; totalCredits: number; groups: PriceGroup[]; projectId: string; status: 'processing' | 'awaiting_data'; dry_run?: DryRun; play_money?: boolean } }
  'orders.tasking.quotation_decide': { input: { quotation_id: string; decision: 'ACCEPTED' | 'REJECTED'; max_credits?: number | null; dry_run?: boolean }; output: { quotation: Quotation; dry_run?: DryRun; play_money?: boolean } }
  'orders.tasking.quotations.list': { input: { id?: string | null; workspaceId?: string | null; orderId?: string | null; decision?: string | null; size?: number; page?: number; sort?: string }; output: { content: Quotation[]; last: boolean; totalElements: number; totalPages: number; size: number; page: number; play_money?: boolean } }
  'orders.tasking.sensors': { input: Record<string, never>; output: { sensors: TaskingSensor[]; limit: number; offset: number; total: number; play_money?: boolean } }
  'orders.tasking.templates.delete': { input: { template_id: string }; output: { template_id: string; deleted: boolean } }
  'orders.tasking.templates.get': { input: { template_id: string }; output: TaskingTemplate }
  'orders.tasking.templates.list': { input: Record<string, never>; output: { templates: TaskingTemplate[]; limit: number; offset: number; total: number } }
  'orders.tasking.templates.save': { input: { name: string; description?: string | null; capture_asap?: boolean; resolution: string; sensor: string; capture_frequency: string; datum: string; file_format: string; has_control?: boolean; max_cloud_coverage?: number; max_nadir_angle?: number }; output: TaskingTemplate }
  'orders.timeline': { input: { order_id: string }; output: OrderTimeline }
  'orders.update': { input: { order_id: string; displayName?: string | null | null; tags?: string[] | null; budgetId?: string | null }; output: Order }
  'organizations.audit.export': { input: { format?: 'ndjson' | 'csv'; after?: number; limit?: number | null }; output: AuditExportLine }
  'organizations.audit.list': { input: { principal_id?: string | null; operation?: string | null; target_type?: string | null; target_id?: string | null; outcome?: 'succeeded' | 'replayed' | 'dry_run' | 'refused' | 'failed' | null; problem?: string | null; from?: string | null; until?: string | null; limit?: number; next?: string | null }; output: { entries: AuditEntry[]; next?: string } }
  'organizations.audit.verify': { input: Record<string, never>; output: AuditVerificationResult }
  'organizations.commitments.list': { input: { commitment_id?: string | null; include_line_items?: boolean }; output: { commitments: Commitment[]; limit: number; offset: number; total: number; play_money?: boolean } }
  'organizations.commitments.statement': { input: { organization_id: string; period?: string | null }; output: { statement: MonthlyStatement; play_money?: boolean } }
  'organizations.create': { input: { name: string; description?: string | null; website?: string | null; industry?: string | null; size?: string | null; country?: string | null; abn?: string | null; tax_number?: string | null; billing_email?: string | null; billing_admin_id?: string | null; billing_address?: object | null; enterprise_billing?: boolean; sandbox?: boolean; sandbox_seed?: string | null; sandbox_time?: string | null }; output: { id: string; name: string; slug: string; enterprise_billing: boolean; sandbox: boolean } }
  'organizations.delegations.list': { input: { stopped?: boolean; limit?: number; offset?: number }; output: { delegations: ({ kind: 'api_key' | 'tile_token' | 'share_link' | 'event_subscription' | 'webhook' | 'report_schedule' | 'saved_search' | 'standing_order' | 'alert_rule' | 'worker_token'; id: string; name: string; project_id: string | null; user_id: string | null; api_key_id: string | null; stop_reason: 'key_revoked' | 'key_expired' | 'user_left' | 'user_disabled' | 'no_access' | null; created_at: string })[]; limit: number; offset: number; total: number } }
  'organizations.delegations.take_over': { input: { kind: 'api_key' | 'tile_token' | 'share_link' | 'event_subscription' | 'webhook' | 'report_schedule' | 'saved_search' | 'standing_order' | 'alert_rule' | 'worker_token'; delegation_id: string }; output: { delegation: { kind: 'api_key' | 'tile_token' | 'share_link' | 'event_subscription' | 'webhook' | 'report_schedule' | 'saved_search' | 'standing_order' | 'alert_rule' | 'worker_token'; id: string; name: string; project_id: string | null; user_id: string | null; api_key_id: string | null; stop_reason: 'key_revoked' | 'key_expired' | 'user_left' | 'user_disabled' | 'no_access' | null; created_at: string }; secret: string | null } }
  'organizations.delete': { input: { organization_id?: string | null; reason?: string | null }; output: { organization_id: string; delete_at: string } }
  'organizations.domains.add': { input: { domain: string }; output: { domain: OrganizationDomain } }
  'organizations.domains.list': { input: { limit?: number; offset?: number }; output: { domains: OrganizationDomain[]; limit: number; offset: number; total: number } }
  'organizations.domains.remove': { input: { domain: string }; output: { domain: string } }
  'organizations.domains.verify': { input: { domain: string }; output: { domain: OrganizationDomain } }
  'organizations.get': { input: { organization_id?: string | null }; output: { organization: OrganizationDetails } }
  'organizations.invitations.accept': { input: { token: string }; output: { organization_id: string; name: string; role: 'owner' | 'admin' | 'billing' | 'member'; projects: ProjectMembership[] } }
  'organizations.invitations.create': { input: { email: string; role?: 'owner' | 'admin' | 'billing' | 'member'; projects?: ProjectMembershipInputs }; output: { invitation: Invitation } }
  'organizations.invitations.list': { input: { state?: 'pending' | 'accepted' | 'revoked' | 'expired' | null; limit?: number; offset?: number }; output: { invitations: Invitation[]; limit: number; offset: number; total: number } }
  'organizations.invitations.resend': { input: { invitation_id: string }; output: { invitation: Invitation } }
  'organizations.invitations.revoke': { input: { invitation_id: string }; output: { invitation: Invitation } }
  'organizations.leave': { input: { organization_id?: string | null }; output: { organization_id: string } }
  'organizations.members.add': { input: { organization_id?: string | null; email: string; name?: string | null; role?: 'owner' | 'admin' | 'billing' | 'member' }; output: { member: Member; one_time_password: string | null; play_money?: boolean } }
  'organizations.members.list': { input: { organizationId?: string | null }; output: { members: Member[]; limit: number; offset: number; total: number; play_money?: boolean } }
  'organizations.members.remove': { input: { user_id: string }; output: { user_id: string } }
  'organizations.members.set_projects': { input: { user_id: string; projects: ProjectMembershipInputs }; output: { user_id: string; projects: ProjectMembership[] } }
  'organizations.members.set_role': { input: { user_id: string; role: 'owner' | 'admin' | 'billing' | 'member' }; output: { member: Member; play_money?: boolean } }
  'organizations.members.set_spend_limit': { input: { organizationId?: string | null; userId: string; perOrderLimitCredits?: number | null; spendLimitCredits?: number | null }; output: SpendLimits }
  'organizations.members.spend.get': { input: { organizationId?: string | null; userId?: string | null }; output: SpendWindow }
  'organizations.provider.get': { input: Record<string, never>; output: { provider: IdentityProvider | null } }
  'organizations.provider.remove': { input: Record<string, never>; output: { provider_id: string } }
  'organizations.provider.set': { input: { issuer: string; client_id: string; client_secret?: string | null; scopes?: string[]; domains: string[]; roles_claim?: string | null; mappings?: ProviderMappingInput[]; default_role?: 'admin' | 'billing' | 'member'; mode?: 'optional' | 'required'; email_trust?: 'verified_claim' | 'domain'; just_in_time?: boolean; emergency_access?: string[] | null }; output: { provider: IdentityProvider } }
  'organizations.provider.test': { input: Record<string, never>; output: { test: ProviderTest | null } }
  'organizations.restore': { input: { organization_id?: string | null }; output: { organization_id: string } }
  'organizations.scim_tokens.create': { input: { name: string; expires_in_days?: number | null }; output: { scim_token: ScimToken; token: string; base_url: string } }
  'organizations.scim_tokens.list': { input: { limit?: number; offset?: number }; output: { scim_tokens: ScimToken[]; limit: number; offset: number; total: number } }
  'organizations.scim_tokens.revoke': { input: { scim_token_id: string }; output: { scim_token: ScimToken } }
  'organizations.security.get': { input: Record<string, never>; output: { security: { second_factor: 'optional' | 'required'; members_without_second_factor: number } } }
  'organizations.security.update': { input: { second_factor: 'optional' | 'required' }; output: { security: { second_factor: 'optional' | 'required'; members_without_second_factor: number } } }
  'organizations.support_access.end': { input: { access_id: string }; output: SupportAccess }
  'organizations.support_access.grant': { input: { access_id: string; hours?: number | null }; output: SupportAccess }
  'organizations.support_access.list': { input: { state?: 'requested' | 'granted' | 'refused' | 'ended' | 'expired' | null; limit?: number; offset?: number }; output: { support_accesses: SupportAccess[]; limit: number; offset: number; total: number } }
  'organizations.support_access.refuse': { input: { access_id: string }; output: SupportAccess }
  'organizations.tokens.list': { input: { user_id?: string | null; limit?: number; offset?: number }; output: { tokens: MemberToken[]; limit: number; offset: number; total: number } }
  'organizations.tokens.revoke': { input: { token_id: string }; output: { ok: boolean; id: string } }
  'organizations.transfer_ownership': { input: { user_id: string }; output: { owner: Member; former_owner: Member; play_money?: boolean } }
  'organizations.update': { input: { organization_id?: string | null; name?: string | null; country?: string | null; abn?: string | null; tax_number?: string | null; billing_email?: string | null; billing_address?: BillingAddress | null; purchase_order_number?: string | null }; output: { organization: OrganizationDetails } }
  'payment_methods.attach': { input: { payment_method_id: string }; output: { id: string | null; isDefault: boolean } }
  'payment_methods.create_setup_intent': { input: Record<string, never>; output: { client_secret: string; setup_intent_id: string; customer_id: string; env: 'embedded' | 'test' | 'live' } }
  'payment_methods.detach': { input: { payment_method_row_id: string }; output: { ok: boolean } }
  'payment_methods.list': { input: Record<string, never>; output: { payment_methods: PaymentMethod[]; limit: number; offset: number; total: number } }
  'payment_methods.set_default': { input: { payment_method_row_id: string }; output: { id: string | null; isDefault: boolean } }
  'processing.catalog.estimate': { input: { process_id: string; inputs?: object }; output: JobEstimate }
  'processing.catalog.get': { input: { process_id: string }; output: { process: Process; play_money?: boolean } }
  'processing.catalog.list': { input: Record<string, never>; output: { processes: Process[]; limit: number; offset: number; total: number; play_money?: boolean } }
  'processing.catalog.validate': { input: { process_id: string; inputs?: object }; output: { valid: boolean; errors: { path: string; message: string }[]; inputs_schema: Record<string, unknown> } }
  'processing.create': { input: { project_id: string; job_type_id: string; input_params?: object; target_collection_id?: string | null; reuse?: boolean; max_credits?: number | null; dry_run?: boolean }; output: { job: Job; dry_run?: DryRun; play_money?: boolean } }
  'processing.create_and_dispatch': { input: { project_id: string; job_type_id: string; input_params?: object; target_collection_id?: string | null; reuse?: boolean; max_credits?: number | null; dry_run?: boolean }; output: { job: Job; dispatch: JobDispatch; dry_run?: DryRun; play_money?: boolean } }
  'processing.dispatch': { input: { job_id: string; version?: string }; output: { job: Job; dispatch: JobDispatch; play_money?: boolean } }
  'processing.execute': { input: { process_id: string; workspaceId: string; inputs?: object; collect_results?: boolean; result_form?: 'raw-value' | 'raw-reference' | 'document-value' | 'document-reference' | null; budgetId?: string | null; reuse?: boolean; max_credits?: number | null; dry_run?: boolean }; output: { job: Job; dispatch: JobDispatch; dry_run?: DryRun; play_money?: boolean } }
  'processing.job.cancel': { input: { job_id: string; dismiss?: boolean }; output: { job: Job; play_money?: boolean } }
  'processing.job.delegate': { input: { job_id: string; lease_seconds?: number }; output: { job: Job; assignment: WorkerAssignment; play_money?: boolean } }
  'processing.job.delete': { input: { job_id: string }; output: { deleted: boolean; job_id: string } }
  'processing.job.get': { input: { job_id: string }; output: { job: Job; play_money?: boolean } }
  'processing.job.log': { input: { job_id: string; limit?: number; offset?: number }; output: { entries: JobLogEntry[]; limit: number; offset: number; total: number } }
  'processing.job.register': { input: { job_id: string; outputs?: ({ name: string; asset_key?: string | null; object_path: string; media_type?: string | null; sha256?: string | null; source_item_id?: string | null; properties?: object | null })[] | null }; output: { job: Job; item_ids: string[]; play_money?: boolean } }
  'processing.job.tile_info': { input: { job_id: string }; output: { tile_info: JobTileInfo } }
  'processing.job_types.list': { input: { category?: string | null }; output: { job_types: JobType[]; limit: number; offset: number; total: number } }
  'processing.jobs.list': { input: { workspaceId?: string | null; processId?: string | null; status?: string | null; ids?: string | null; created?: string | null; exclude_dismissed?: boolean; min_duration_seconds?: number | null; max_duration_seconds?: number | null; limit?: number; page?: number; sort?: string }; output: { jobs: Job[]; limit: number; page: number; total: number; play_money?: boolean } }
  'processing.jobs.retry': { input: { job_id: string; reuse?: boolean; max_credits?: number | null; dry_run?: boolean }; output: { job: Job; dispatch: JobDispatch; dry_run?: DryRun; play_money?: boolean } }
  'processing.project_job.get': { input: { job_id: string }; output: { job: Job; play_money?: boolean } }
  'processing.project_jobs.list': { input: { project_id: string; status?: string | null; job_type_name?: string | null; limit?: number; offset?: number }; output: { jobs: Job[]; limit: number; offset: number; total: number; play_money?: boolean } }
  'projects.add_member': { input: { project_id: string; user_id: string; role?: 'owner' | 'admin' | 'editor' | 'viewer' | 'member' }; output: ProjectMember }
  'projects.archive': { input: { project_id: string; name?: string | null; description?: string | null; is_archived?: boolean | null }; output: Project }
  'projects.create': { input: { name: string; description?: string | null; region?: string | null }; output: Project }
  'projects.delete': { input: { project_id: string }; output: { deleted: boolean; project_id: string; storage_freed_bytes: number } }
  'projects.get': { input: { project_id: string }; output: { project: Project } }
  'projects.list': { input: { include_archived?: boolean; limit?: number; offset?: number }; output: { projects: Project[]; limit: number; offset: number; total: number } }
  'projects.members.list': { input: { project_id: string }; output: { members: ProjectMember[]; limit: number; offset: number; total: number } }
  'projects.remove_member': { input: { project_id: string; user_id: string }; output: { ok: boolean } }
  'projects.update': { input: { project_id: string; name?: string | null; description?: string | null; is_archived?: boolean | null }; output: Project }
  'projects.update_member': { input: { project_id: string; user_id: string; role: 'owner' | 'admin' | 'editor' | 'viewer' | 'member' }; output: ProjectMember }
  'provenance.export': { input: { entity_type: 'item' | 'order' | 'processing_job' | 'collection' | 'project' | 'share_link' | 'upload' | 'asset' | 'analytics_result' | 'api_call' | 'capture'; entity_id: string; direction?: 'up' | 'down' | 'both'; max_depth?: number }; output: Record<string, unknown> }
  'provenance.get': { input: { entity_type: 'item' | 'order' | 'processing_job' | 'collection' | 'project' | 'share_link' | 'upload' | 'asset' | 'analytics_result' | 'api_call' | 'capture'; entity_id: string; direction?: 'up' | 'down' | 'both'; max_depth?: number }; output: Lineage }
  'reports.create': { input: { name?: string | null; report_type: 'orders' | 'spending' | 'usage' | 'processing' | 'inventory' | 'area_monitoring'; project_id?: string | null; area?: ReportArea; area_name?: string | null; from?: string | null; to?: string | null; formats: ReportFormats }; output: Report }
  'reports.delete': { input: { report_id: string }; output: { ok: boolean; id: string } }
  'reports.generate': { input: { report_type: 'orders' | 'spending' | 'usage' | 'processing' | 'inventory' | 'area_monitoring'; project_id?: string | null; area?: ReportArea; area_name?: string | null; from?: string | null; to?: string | null }; output: { report_type: string; generated_at: string; from: string; to: string; rows: Record<string, unknown>[]; totals: Record<string, unknown> } }
  'reports.get': { input: { report_id: string }; output: Report }
  'reports.list': { input: { limit?: number; offset?: number }; output: { reports: Report[]; limit: number; offset: number; total: number } }
  'reports.schedules.create': { input: { name: string; report_type: 'orders' | 'spending' | 'usage' | 'processing' | 'inventory' | 'area_monitoring'; project_id?: string | null; area?: ReportArea; area_name?: string | null; formats: ReportFormats; frequency: 'daily' | 'weekly' | 'monthly' }; output: ReportSchedule }
  'reports.schedules.delete': { input: { schedule_id: string }; output: { ok: boolean; id: string } }
  'reports.schedules.list': { input: { limit?: number; offset?: number }; output: { schedules: ReportSchedule[]; limit: number; offset: number; total: number } }
  'sandbox.clock.advance': { input: { seconds?: number | null; to?: string | null }; output: { now: string; target: string; reached: boolean; steps: number } }
  'sandbox.clock.get': { input: Record<string, never>; output: { organization_id: string; now: string; seed: string; resets: number; advancing_to: string | null; next_due_at: string | null } }
  'sandbox.reset': { input: Record<string, never>; output: { stopped_orders: number; deleted_items: number; available_credits: number; resets: number; play_money?: boolean } }
  'sandbox.scenario.run': { input: { scenario: { kind: 'host.delay'; host?: string; times: number; seconds: number } | { kind: 'host.partial_delivery'; host?: string; times: number; missing_scenes: number } | { kind: 'host.refuse_order'; host?: string; times: number; reason?: string } | { kind: 'host.refuse_delivery'; host?: string; times: number; reason?: string } | { kind: 'host.fail'; host?: string; times: number } | { kind: 'host.lose_response'; host?: string; times: number } | { kind: 'host.wrong_checksum'; host?: string; times: number; deliveries: number } | { kind: 'payment.decline'; times: number } | { kind: 'payment.end_authorisations'; times: number } | { kind: 'payment.lose_notification'; times: number } | { kind: 'payment.reject_refund'; times: number } | { kind: 'payment.refund_charge'; times: number } | { kind: 'payment.open_dispute'; times: number } | { kind: 'payment.close_disputes'; times: number; outcome: 'won' | 'lost' } }; output: { scenarios: ({ id: string; kind: string; host: string | null; remaining: number; created_at: string })[] } }
  'share.asset.download': { input: { token: string; password?: string; item_id: string; asset_id: string }; output: AssetDownload }
  'share.items.list': { input: { token: string; password?: string; limit?: number; offset?: number }; output: { items: SharedItem[]; limit: number; offset: number; total: number; next_offset: number | null } }
  'share.link.create': { input: { target_type: 'item' | 'collection'; target_id: string; permission?: 'view' | 'download'; password: string; expires_at: string }; output: { id: string; token: string; target_type: 'item' | 'collection'; target_id: string; permission: 'view' | 'download'; organization_id: string; project_id: string; expires_at: string; revoked_at: string | null; access_count: number; last_accessed_at: string | null; created_by: string | null; created_at: string; url: string } }
  'share.link.get': { input: { link_id: string }; output: { link: ShareLinkDetails; play_money?: boolean } }
  'share.link.list': { input: { project_id?: string; target_type?: 'item' | 'collection'; target_id?: string; active?: boolean; limit?: number; offset?: number }; output: { links: ShareLinkDetails[]; limit: number; offset: number; total: number; play_money?: boolean } }
  'share.link.revoke': { input: { link_id: string }; output: { ok: boolean; id: string } }
  'share.link.update': { input: { link_id: string; expires_at?: string; permission?: 'view' | 'download'; password?: string; view_cap?: number | null; cost_cap_credits?: number | null }; output: { link: ShareLinkDetails; play_money?: boolean } }
  'share.link.validate': { input: { token: string; password?: string }; output: { permission: 'view' | 'download'; target_type: 'item' | 'collection'; target: Record<string, unknown> } }
  'share.session.create': { input: { token: string; password?: string }; output: ShareSession }
  'share.tile.render': { input: { token: string; password?: string; z: number; x: number; y: number; format?: 'png' | 'jpeg' | 'jpg' | 'webp'; profile?: string | null; item_id?: string | null }; output: Uint8Array }
  'share.tilejson': { input: { token: string; password?: string; profile?: string | null }; output: TileJson }
  'stac.aggregate': { input: { base_url?: string; collections?: string[] | string | null; ids?: string[] | string | null; datetime?: string | null; bbox?: StacBbox; q?: FreeText; intersects?: Geometry | null; filter?: object | string | null; 'filter-lang'?: string | null; query?: object | null; collection_id?: string | null; aggregations?: ('total_count' | 'datetime_min' | 'datetime_max' | 'datetime_frequency' | 'cloud_cover_frequency' | 'collection_frequency')[] | null }; output: StacAggregations }
  'stac.aggregations': { input: { collection_id?: string | null; base_url?: string }; output: StacAvailableAggregations }
  'stac.collections.delete': { input: { collection_id: string }; output: { ok: boolean; id: string } }
  'stac.collections.get': { input: { collection_id: string; base_url?: string }; output: StacCollection }
  'stac.collections.list': { input: { base_url?: string; bbox?: StacBbox; datetime?: string | null; q?: FreeText; limit?: number | null; page?: number }; output: { collections: StacCollection[]; links: StacLink[]; numberMatched: number; numberReturned: number } }
  'stac.conformance': { input: { base_url?: string }; output: { conformsTo: string[] } }
  'stac.items.create': { input: { collection_id: string; base_url?: string; item: object }; output: StacItem | { type: 'FeatureCollection'; features: StacItem[] } }
  'stac.items.delete': { input: { collection_id: string; stac_id: string; base_url?: string; if_match?: string | null }; output: { ok: boolean; id: string } }
  'stac.items.get': { input: { collection_id: string; stac_id: string; base_url?: string }; output: StacItem }
  'stac.items.list': { input: { collection_id: string; base_url?: string; ids?: string[] | string | null; datetime?: string | null; bbox?: StacBbox; q?: FreeText; intersects?: Geometry | null; filter?: object | string | null; 'filter-lang'?: string | null; query?: object | null; sortby?: SortBy; link_method?: 'POST' | 'GET'; token?: string | null; limit?: number; page?: number; fields?: { include?: string[] | null; exclude?: string[] | null } }; output: { type: 'FeatureCollection'; features: Record<string, unknown>[]; context: { returned: number; matched: number; page: number; pages: number }; numberMatched: number; numberReturned: number; links: StacLink[] } }
  'stac.items.replace': { input: { collection_id: string; stac_id: string; base_url?: string; item: object; if_match?: string | null }; output: StacItem }
  'stac.items.search': { input: { base_url?: string; collections?: string[] | string | null; ids?: string[] | string | null; datetime?: string | null; bbox?: StacBbox; q?: FreeText; intersects?: Geometry | null; filter?: object | string | null; 'filter-lang'?: string | null; query?: object | null; sortby?: SortBy; link_method?: 'POST' | 'GET'; token?: string | null; limit?: number; page?: number; fields?: { include?: string[] | null; exclude?: string[] | null } }; output: { type: 'FeatureCollection'; features: Record<string, unknown>[]; context: { returned: number; matched: number; page: number; pages: number }; numberMatched: number; numberReturned: number; links: StacLink[] } }
  'stac.items.update': { input: { collection_id: string; stac_id: string; base_url?: string; item: object; if_match?: string | null }; output: StacItem }
  'stac.landing': { input: { base_url?: string }; output: StacCatalog }
  'stac.queryables': { input: { collection_id?: string | null; base_url?: string }; output: StacQueryables }
  'stac.search': { input: { base_url?: string; collections?: string[] | null; ids?: string[] | null; datetime?: string | null; bbox?: number[] | null; intersects?: Polygon | null; filter?: object | string | null; 'filter-lang'?: string | null; sortby?: SortBy; link_method?: 'POST' | 'GET'; token?: string | null; limit?: number; page?: number }; output: StacSearchResult }
  'uploads.cancel': { input: { upload_id: string }; output: Upload }
  'uploads.complete': { input: { upload_id: string; files: ({ object_path: string; size: number; sha256: string; parts?: { number: number; etag: string }[] | null })[] }; output: { upload: Upload; item_ids: string[]; accepted_count: number } }
  'uploads.fail': { input: { upload_id: string; error_message: string; error_step?: string | null }; output: Upload }
  'uploads.get': { input: { upload_id: string }; output: { upload: Upload } }
  'uploads.initiate': { input: { project_id: string; transfer_method?: 'browser' | 'cli' | 'cloud_transfer'; file_count?: number; total_bytes?: number; target_collection_id?: string | null; target_item_id?: string | null; asset_key?: string | null; is_categorical?: boolean }; output: Upload }
  'uploads.list': { input: { project_id?: string | null; status?: 'initiated' | 'uploading' | 'uploaded' | 'ingesting' | 'completed' | 'failed' | 'cancelled' | 'expired' | null; limit?: number; offset?: number }; output: { uploads: Upload[]; limit: number; offset: number; total: number } }
  'uploads.part_url': { input: { upload_id: string; file_name: string; number: number; content_type?: string; size_bytes?: number | null }; output: { upload_url: string; object_path: string; expires_at: string; number: number } }
  'uploads.progress': { input: { upload_id: string; status?: 'uploading' | 'uploaded' | null; bytes_uploaded?: number | null }; output: Upload }
  'uploads.signed_url': { input: { upload_id: string; file_name: string; content_type?: string; size_bytes?: number | null }; output: { upload_url: string; object_path: string; expires_at: string } }
  'usage.by_operation': { input: { organization_id: string; months?: number; limit?: number; offset?: number }; output: { operations: MeanUsageOfOperation[]; limit: number; offset: number; total: number } }
  'usage.current': { input: { organization_id: string }; output: { usage: Usage; days: UsageOfDay[]; operations: UsageOfOperation[]; callers: UsageOfCaller[]; play_money?: boolean } }
  'usage.history': { input: { organization_id: string; months?: number }; output: { usage: Usage[]; limit: number; offset: number; total: number; play_money?: boolean } }
  'usage.recalculate_storage': { input: { organization_id: string }; output: { organization_id: string; storage_bytes: number; previous_storage_bytes: number } }
  'users.consents.list': { input: Record<string, never>; output: { consents: Consent[]; limit: number; offset: number; total: number } }
  'users.consents.revoke': { input: { client_id: string; organization_id?: string | null }; output: { client_id: string; revoked: number } }
  'users.delete': { input: { password?: string | null; otp?: string | null }; output: { user_id: string; deleted_at: string } }
  'users.email.change': { input: { email: string; password?: string | null; otp?: string | null }; output: { email: string; expires_at: string } }
  'users.export': { input: Record<string, never>; output: AccountExport }
  'users.me': { input: Record<string, never>; output: CurrentPrincipal }
  'users.organizations.list': { input: Record<string, never>; output: { organizations: UserOrganization[]; limit: number; offset: number; total: number } }
  'users.passkeys.list': { input: Record<string, never>; output: { passkeys: Passkey[]; limit: number; offset: number; total: number } }
  'users.passkeys.register_begin': { input: { password?: string | null; otp?: string | null }; output: { options: Record<string, unknown>; expires_at: string } }
  'users.passkeys.register_finish': { input: { credential: object; name: string }; output: { passkey: Passkey; recovery_codes: string[] | null } }
  'users.passkeys.remove': { input: { passkey_id: string; password?: string | null; otp?: string | null }; output: { ok: boolean } }
  'users.passkeys.rename': { input: { passkey_id: string; name: string }; output: { passkey: Passkey } }
  'users.password.change': { input: { password: string; new_password: string }; output: { ended_sessions: number } }
  'users.recovery_codes.regenerate': { input: { password?: string | null; otp?: string | null }; output: { recovery_codes: string[] } }
  'users.sessions.end': { input: { session_id: string | null }; output: { ended_sessions: number } }
  'users.sessions.list': { input: Record<string, never>; output: { sessions: UserSession[]; limit: number; offset: number; total: number } }
  'users.tokens.create': { input: { name: string; scopes: string[]; expires_in_days: number }; output: NewPersonalToken }
  'users.tokens.list': { input: Record<string, never>; output: { tokens: PersonalToken[]; limit: number; offset: number; total: number } }
  'users.tokens.revoke': { input: { token_id: string }; output: { ok: boolean; id: string } }
  'users.totp.begin': { input: { password?: string | null; otp?: string | null }; output: { secret: string; otpauth_uri: string; qr_svg: string; expires_at: string } }
  'users.totp.confirm': { input: { otp: string }; output: { recovery_codes: string[] | null } }
  'users.totp.remove': { input: { password?: string | null; otp?: string | null }; output: { ok: boolean } }
  'users.update': { input: { name?: string | null; language?: 'en' | 'de' | 'fr' | null; time_zone?: string | null }; output: { user: { id: string; email: string; name: string | null; language: 'en' | 'de' | 'fr'; time_zone: string } } }
  'visualization.list_for': { input: { band_roles?: Record<string, number>; data_type?: string; render_params?: object; asset?: string | null }; output: { visualizations: Visualization[]; default_id: string } }
  'visualization.profile.create': { input: { item_id: string; name: string; layer?: 'sensor' | 'auto' | 'user'; type: 'rgb' | 'singleband' | 'multiband' | 'expression'; is_default?: boolean; sort_order?: number; config: object; asset_key?: string | null }; output: VisualizationProfile }
  'visualization.profile.delete': { input: { item_id: string; profile_id: string }; output: { ok: boolean; id: string } }
  'visualization.profile.get': { input: { item_id: string; profile_id: string }; output: { profile: VisualizationProfile } }
  'visualization.profile.set_default': { input: { item_id: string; profile_id: string }; output: VisualizationProfile }
  'visualization.profile.update': { input: { item_id: string; profile_id: string; name?: string | null; type?: 'rgb' | 'singleband' | 'multiband' | 'expression' | null; is_default?: boolean | null; sort_order?: number | null; config?: object | null; asset_key?: string | null }; output: VisualizationProfile }
  'visualization.profiles.list': { input: { item_id: string }; output: { profiles: VisualizationProfile[]; limit: number; offset: number; total: number } }
  'webhooks.create': { input: { workspace_id: string; name: string; url: string; events: ('order.status' | 'job.status')[]; secret?: string | null; active?: boolean }; output: NewWebhook }
  'webhooks.delete': { input: { workspace_id: string; webhook_id: string }; output: { deleted: boolean } }
  'webhooks.drain': { input: { limit?: number | null; reason?: string | null }; output: { attempted_count: number; delivered_count: number; failed_count: number } }
  'webhooks.events.list': { input: Record<string, never>; output: { events: WebhookEventDescription[] } }
  'webhooks.get': { input: { workspace_id: string; webhook_id: string }; output: Webhook }
  'webhooks.list': { input: { workspace_id: string }; output: { webhooks: Webhook[]; limit: number; offset: number; total: number } }
  'webhooks.test': { input: { workspace_id: string; webhook_id: string }; output: { startedAt: string; testsRun: number; testsSucceeded: number } }
  'webhooks.update': { input: { workspace_id: string; webhook_id: string; name: string; url: string; events: ('order.status' | 'job.status')[]; secret?: string | null; active: boolean }; output: Webhook }
}

export type OperationId = keyof Operations
export type InputOf<Id extends OperationId> = Operations[Id]['input']
export type OutputOf<Id extends OperationId> = Operations[Id]['output']

export type Effect = 'read' | 'compute' | 'spend' | 'export' | 'destructive'
export type Paging = 'offset' | 'page' | 'search' | 'token' | null
export type ResponseKind = 'json' | 'bytes' | 'ndjson' | 'event-stream'

/** Effect, paging and response kind of an operation, and whether it accepts an idempotency key. */
export type ManifestRow = readonly [effect: Effect, paging: Paging, response: ResponseKind, idempotent: boolean]

export type Manifest = Readonly<Record<OperationId, ManifestRow>>

export const manifest: Manifest = /* @__PURE__ */ readManifest<Manifest>(`
admin(audit(list:rt) commitments(amend close_period:$k create) credit_adjustments(approve:$k list:ro reject request) data_products(list:ro versions(approve create list:ro reject)) dead_letters(list:r retry) feature_flags(list:r set) invoices(credit:$k mark_paid) orgs(credit_adjust:$k get:r list:ro resume set_plan suspend:d) rate_cards(approve create list:ro reject) role_changes(approve list:ro reject) stuck_work(cancel:d list:r release retry) support_access(end list:ro request) tasking(order_transition quotation_upload study_upload) users(disable:d enable impersonate:x list:ro reset_second_factor:d set_roles))
alerts(acknowledge_event backtest_rule create_rule delete_rule:d events(list:ro) rule(get:r) rules(list:r) test_rule:r update_rule)
analytics(band_math calculate_index execute index(get:r) indices(list:r) operations(get:r list:r) sensors(list:r) validate_formula:r)
api_keys(create:x list:r revoke:d)
assets(create delete:d get:r verify)
band_formulas(create delete:d get:r list:r update)
billing(approvals(approve:$k get:r list:r reject request) auto_topup(get:r) budgets(get:r list:rp settings:r usage:r) charge(explain:r) cleanup_deleted_orgs:d credits(balance:r transactions:ro) deletions(pending:r) dlq(list_pending:r replay) enterprise(accrual:r mark_invoiced) forecast:r free_tier(approve grant_all list_pending:r revoke) invoices(download:rb get:r list:r) jobs(settle_unsettled:$) ledger(export:xn verify:r) lots(list:ro) plans(list:r) reconciliation(backfill_missing correct_drift:$ detect_drift:r list_corrections:r list_runs:r remove_stale run run_all zero_negative_nets) refunds(request:$k) run_monthly_cron:$ run_monthly_for_org:$k set_auto_topup set_daily_topup_limit status(get:r) stripe_invoices(list:r) topup:$k)
catalog(aoi_score compare_prices:r federated_search:rt granule_points:r image(quicklook:rb thumbnail:rb) info(landsat:r naip:r sample:r sentinel:r) places(search:r) provider(samples:ro) providers(list:r) search:rt(delete:d list:ro save) search_stream:rn sources(list:r) stac(collections(get:r list:r) landing:r search:rt) tile(render:rb) vendors(list:r) viz(landsat:r naip:r))
clip(area(metadata:r mosaics:r) areas(list:r) create_from_area:$k create_from_item:$k job(delete:d download:r downloads:r get:r tile_info:r) jobs(list:ro))
cog(colormaps:r formulas:r statistics:r thumbnail:rb tile(render:rb terrain:rb))
collections(create delete:d get:r list:r restore update)
eulas(acceptances(list:ro) document(accept get:r) documents(list:rp) get:r list:rp)
event_subscriptions(create create_many delete:d deliveries(get:r list:rt redeliver replay_window) get:r list:r rotate_secret:x test update)
event_types(list:r)
events(list:rt stream:re)
glossary(collections(get:r list:rp) data_products(get:r list:rp) providers(get:r list:rp))
items(asset(download:x) batch_create batch_delete:d bundles(download:x get:r list:rp update) create delete:d detect_asset_bands download:x duplicate expire_batch:d features(list:ro) get:r get_stac:r lineage:r list:ro list_assets:r list_by_collection:ro list_expiring:r restore search:ro search_org:ro set_asset_band_names tile(histogram:r line:r point:r preview:rb render:rb statistics:r tilejson:r token(create:x list:r revoke:d) vector:rb wmts_capabilities:rb wmts_get_tile:rb) update)
notifications(dismiss list:ro mark_all_read mark_read preferences(get:r set) unread_count:r)
oauth_clients(create:x delete:d get:r list:r rotate_secret:x update)
orders(archive(estimate:r place:$k) cancel:$k coverage(get:r groups(list:r)) download:x estimate:r get:r get_schema:r list:rp list_assets:r place:$k quote reorder:$k standing(create:$k decide:$k delete:d list:ro scenes(list:ro) update) tasking(decisions(pending:rp) estimate:r feasibility_check:r feasibility_decide:$k feasibility_studies(list:rp) groups(list:r) opportunities_list:r place:$k quotation_decide:$k quotations(list:rp) sensors:r templates(delete:d get:r list:r save)) timeline:r update)
organizations(audit(export:xn list:rt verify:r) commitments(list:r statement:r) create delegations(list:ro take_over) delete:d domains(add list:ro remove:d verify) get:r invitations(accept create list:ro resend revoke:d) leave:d members(add list:r remove:d set_projects set_role set_spend_limit spend(get:r)) provider(get:r remove:d set test:r) restore scim_tokens(create list:ro revoke:d) security(get:r update) support_access(end grant list:ro refuse) tokens(list:ro revoke:d) transfer_ownership update)
payment_methods(attach create_setup_intent detach:d list:r set_default)
processing(catalog(estimate:r get:r list:r validate:r) create:$k create_and_dispatch:$k dispatch:$k execute:$k job(cancel:d delegate delete:d get:r log:ro register:$k tile_info:r) job_types(list:r) jobs(list:rs retry:$k) project_job(get:r) project_jobs(list:ro))
projects(add_member archive create delete:d get:r list:ro members(list:r) remove_member:d update update_member)
provenance(export:x get:r)
reports(create delete:d generate:r get:r list:ro schedules(create delete:d list:ro))
sandbox(clock(advance get:r) reset:d scenario(run))
share(asset(download:x) items(list:ro) link(create:x get:r list:ro revoke:d update validate:r) session(create:x) tile(render:rb) tilejson:r)
stac(aggregate:r aggregations:r collections(delete:d get:r list:r) conformance:r items(create delete:d get:r list:rs replace search:rs update) landing:r queryables:r search:rs)
uploads(cancel:d complete fail get:r initiate list:ro part_url progress signed_url)
usage(by_operation:ro current:r history:r recalculate_storage)
users(consents(list:r revoke:d) delete:d email(change) export:x me:r organizations(list:r) passkeys(list:r register_begin register_finish remove:d rename) password(change) recovery_codes(regenerate) sessions(end:d list:r) tokens(create:x list:r revoke:d) totp(begin confirm remove:d) update)
visualization(list_for:r profile(create delete:d get:r set_default update) profiles(list:r))
webhooks(create delete:d drain events(list:r) get:r list:r test update)
`)
