/** The numbers of the specification's section on limits, and those beside them that the contract repeats. */
export const limits = {
  access_token_seconds: 300,
  refresh_token_seconds: 1800,
  signed_url_seconds: 900,
  idempotency_hours: 24,
  webhook_timeout_seconds: 10,
  spend_window_days: 30,
  credits_per_aud: 100,
  invoice_due_days: 30,
  stac_search_limit: { minimum: 1, maximum: 10_000, default: 10 },
  stac_search_vertices: 999,
  catalog_search_limit: { minimum: 1, maximum: 500, default: 100 },
  projects_rest_limit: { minimum: 1, maximum: 200, default: 50 },
  /** Items that one call may make or delete. */
  batch_items: 1000,
  items_rest_limit: { minimum: 1, maximum: 1000, default: 100 },
  offset_limit: { minimum: 1, maximum: 1000, default: 100 },
  /** Of lists that people read a page of at a time, such as notifications. */
  short_offset_limit: { minimum: 1, maximum: 1000, default: 50 },
  page_size: { minimum: 1, maximum: 1000, default: 20 },
  jobs_limit: { minimum: 1, maximum: 1000, default: 20 },
  /** Captures that one estimate or order may name, and positions that their areas may have, each and together. */
  captures: 1000,
  capture_vertices: 999,
  captures_vertices: 20_000,
  /** Offsets and pages beyond this are refused, so that no list is walked to its end by counting. */
  furthest_row: 10_000_000,
  lineage_edges: 10_000,
  lineage_depth: 50,
  name_length: 255,
  text_length: 10_000,
  /** A session of upload that is left alone for so long ends by itself. */
  upload_hours: 24,
  /** What a session reserves at most where nobody says how much will be sent. */
  upload_unstated_bytes: 1_000_000_000,
  upload_address_seconds: 3600,
  /** A link may end a year from now, be it a leap year. */
  share_link_days: 366,
  /** Zoom levels of the tile grid. */
  zoom: 30,
  tile_token_seconds: { minimum: 60, maximum: 31_622_400, default: 604_800 },
} as const
