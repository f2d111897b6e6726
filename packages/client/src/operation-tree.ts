// Generated from the contract by `npm run generate`; do not edit.
import type { CallOptions, EventStreamOptions } from './client.ts'
import type {
  AlreadyDecidedError,
  BandwidthBreakerError,
  BudgetExceededError,
  ConflictingParametersError,
  DownloadCapError,
  EulaNotAcceptedError,
  ForbiddenError,
  GoneExpiredError,
  GoneRetentionError,
  InsufficientCreditsError,
  InvalidStateError,
  NameTakenError,
  NotAMemberError,
  NotFoundError,
  PastDueError,
  PaymentActionRequiredError,
  PaymentDeclinedError,
  PreconditionFailedError,
  QuotaExceededError,
  QuotaStorageError,
  QuoteExpiredError,
  SpendLimitExceededError,
  StacIdTakenError,
  UnsupportedFilterError,
  UnsupportedRasterError,
  UnsupportedVectorError,
  UpstreamError,
  UserRequiredError,
} from './errors/problem-classes.ts'
import type { InputOf, OutputOf } from './operations.ts'
import type { PagedCall } from './paging/paged-call.ts'
import type { SpendOptions } from './spends.ts'

/** The operations as a tree by id: `orders.archive.place` is a method of `orders.archive`. */
export interface OperationTree {
  readonly admin: {
    readonly audit: {
      /**
       * List the write calls in an organization, or those of operators that belong to none, newest first.
       *
       * Operation `admin.audit.list`; scope `admin:read`; effect `read`.
       */
      list(input?: InputOf<'admin.audit.list'>, options?: CallOptions): PagedCall<OutputOf<'admin.audit.list'>, OutputOf<'admin.audit.list'>['entries'][number]>
    }
    readonly commitments: {
      /**
       * Amend a commitment during its period, as a new version; deliveries so far keep their rates.
       *
       * Operation `admin.commitments.amend`; scope `admin:write`; effect `compute`.
       * @throws {@link NotFoundError}, {@link InvalidStateError}, {@link NameTakenError}
       */
      amend(input: InputOf<'admin.commitments.amend'>, options?: CallOptions): Promise<OutputOf<'admin.commitments.amend'>>
      /**
       * Close a commitment whose period has ended and charge the shortfall; repeating it has no effect.
       *
       * Operation `admin.commitments.close_period`; scope `admin:write`; effect `spend`.
       * @throws {@link NotFoundError}, {@link InvalidStateError}, {@link SpendLimitExceededError}
       */
      close_period(input: InputOf<'admin.commitments.close_period'>, options?: SpendOptions): Promise<OutputOf<'admin.commitments.close_period'>>
      /**
       * Create a commitment of an enterprise organization: its period, minimum spend and negotiated rates.
       *
       * Operation `admin.commitments.create`; scope `admin:write`; effect `compute`.
       * @throws {@link NotFoundError}, {@link InvalidStateError}, {@link NameTakenError}
       */
      create(input: InputOf<'admin.commitments.create'>, options?: CallOptions): Promise<OutputOf<'admin.commitments.create'>>
    }
    readonly credit_adjustments: {
      /**
       * Approve an adjustment that another operator has requested, which writes it to the journal.
       *
       * Operation `admin.credit_adjustments.approve`; scope `admin:write`; effect `spend`.
       * @throws {@link NotFoundError}, {@link ForbiddenError}, {@link AlreadyDecidedError}, {@link InsufficientCreditsError}, {@link SpendLimitExceededError}
       */
      approve(input: InputOf<'admin.credit_adjustments.approve'>, options?: SpendOptions): Promise<OutputOf<'admin.credit_adjustments.approve'>>
      /**
       * List requested adjustments of wallets, newest first.
       *
       * Operation `admin.credit_adjustments.list`; scope `admin:read`; effect `read`.
       */
      list(input?: InputOf<'admin.credit_adjustments.list'>, options?: CallOptions): PagedCall<OutputOf<'admin.credit_adjustments.list'>, OutputOf<'admin.credit_adjustments.list'>['adjustments'][number]>
      /**
       * Reject an adjustment that was requested, or take back a request of your own.
       *
       * Operation `admin.credit_adjustments.reject`; scope `admin:write`; effect `compute`.
       * @throws {@link NotFoundError}, {@link AlreadyDecidedError}
       */
      reject(input: InputOf<'admin.credit_adjustments.reject'>, options?: CallOptions): Promise<OutputOf<'admin.credit_adjustments.reject'>>
      /**
       * Request an adjustment of a wallet of any amount, which another operator has to approve.
       *
       * Operation `admin.credit_adjustments.request`; scope `admin:write`; effect `compute`.
       * @throws {@link NotFoundError}
       */
      request(input: InputOf<'admin.credit_adjustments.request'>, options?: CallOptions): Promise<OutputOf<'admin.credit_adjustments.request'>>
    }
    readonly data_products: {
      /**
       * List the data products with the terms in force and those that their hosts declare.
       *
       * Operation `admin.data_products.list`; scope `admin:read`; effect `read`.
       */
      list(input?: InputOf<'admin.data_products.list'>, options?: CallOptions): PagedCall<OutputOf<'admin.data_products.list'>, OutputOf<'admin.data_products.list'>['data_products'][number]>
      readonly versions: {
        /**
         * Approve a version of a data product that another operator has requested, before its effective date.
         *
         * Operation `admin.data_products.versions.approve`; scope `admin:write`; effect `compute`.
         * @throws {@link NotFoundError}, {@link ForbiddenError}, {@link AlreadyDecidedError}, {@link InvalidStateError}
         */
        approve(input: InputOf<'admin.data_products.versions.approve'>, options?: CallOptions): Promise<OutputOf<'admin.data_products.versions.approve'>>
        /**
         * Add a version of the terms of a data product; another operator has to approve one that changes its price or licence.
         *
         * Operation `admin.data_products.versions.create`; scope `admin:write`; effect `compute`.
         * @throws {@link NotFoundError}
         */
        create(input: InputOf<'admin.data_products.versions.create'>, options?: CallOptions): Promise<OutputOf<'admin.data_products.versions.create'>>
        /**
         * List the versions of the terms of data products, newest first.
         *
         * Operation `admin.data_products.versions.list`; scope `admin:read`; effect `read`.
         */
        list(input?: InputOf<'admin.data_products.versions.list'>, options?: CallOptions): PagedCall<OutputOf<'admin.data_products.versions.list'>, OutputOf<'admin.data_products.versions.list'>['versions'][number]>
        /**
         * Reject a version of a data product that was requested, or take back a request of your own.
         *
         * Operation `admin.data_products.versions.reject`; scope `admin:write`; effect `compute`.
         * @throws {@link NotFoundError}, {@link AlreadyDecidedError}
         */
        reject(input: InputOf<'admin.data_products.versions.reject'>, options?: CallOptions): Promise<OutputOf<'admin.data_products.versions.reject'>>
      }
    }
    readonly dead_letters: {
      /**
       * List background tasks that have used up their attempts, newest first.
       *
       * Operation `admin.dead_letters.list`; scope `admin:read`; effect `read`.
       */
      list(input?: InputOf<'admin.dead_letters.list'>, options?: CallOptions): Promise<OutputOf<'admin.dead_letters.list'>>
      /**
       * Give a dead background task all its attempts again.
       *
       * Operation `admin.dead_letters.retry`; scope `admin:write`; effect `compute`.
       * @throws {@link NotFoundError}
       */
      retry(input: InputOf<'admin.dead_letters.retry'>, options?: CallOptions): Promise<OutputOf<'admin.dead_letters.retry'>>
    }
    readonly feature_flags: {
      /**
       * List the feature flags with the organizations that have the feature.
       *
       * Operation `admin.feature_flags.list`; scope `admin:read`; effect `read`.
       */
      list(input?: InputOf<'admin.feature_flags.list'>, options?: CallOptions): Promise<OutputOf<'admin.feature_flags.list'>>
      /**
       * Set the share of organizations that have a feature, or switch it for one organization.
       *
       * Operation `admin.feature_flags.set`; scope `admin:write`; effect `compute`.
       * @throws {@link NotFoundError}
       */
      set(input: InputOf<'admin.feature_flags.set'>, options?: CallOptions): Promise<OutputOf<'admin.feature_flags.set'>>
    }
    readonly invoices: {
      /**
       * Issue a credit note for an invoice, in full or in part; an open invoice that is fully credited becomes void.
       *
       * Operation `admin.invoices.credit`; scope `admin:write`; effect `spend`.
       * @throws {@link NotFoundError}, {@link InvalidStateError}, {@link SpendLimitExceededError}
       */
      credit(input: InputOf<'admin.invoices.credit'>, options?: SpendOptions): Promise<OutputOf<'admin.invoices.credit'>>
      /**
       * Mark an invoice as paid and issue its receipt; repeating it has no effect.
       *
       * Operation `admin.invoices.mark_paid`; scope `admin:write`; effect `compute`.
       * @throws {@link NotFoundError}, {@link InvalidStateError}
       */
      mark_paid(input: InputOf<'admin.invoices.mark_paid'>, options?: CallOptions): Promise<OutputOf<'admin.invoices.mark_paid'>>
    }
    readonly orgs: {
      /**
       * Add credits to the wallet of an organization, or remove them; large amounts need two operators.
       *
       * Operation `admin.orgs.credit_adjust`; scope `admin:write`; effect `spend`.
       * @throws {@link NotFoundError}, {@link ForbiddenError}, {@link InsufficientCreditsError}, {@link SpendLimitExceededError}
       */
      credit_adjust(input: InputOf<'admin.orgs.credit_adjust'>, options?: SpendOptions): Promise<OutputOf<'admin.orgs.credit_adjust'>>
      /**
       * Read one organization: plan, status, members and wallet.
       *
       * Operation `admin.orgs.get`; scope `admin:read`; effect `read`.
       * @throws {@link NotFoundError}
       */
      get(input: InputOf<'admin.orgs.get'>, options?: CallOptions): Promise<OutputOf<'admin.orgs.get'>>
      /**
       * List the organizations of the platform with their plan and status, newest first.
       *
       * Operation `admin.orgs.list`; scope `admin:read`; effect `read`.
       */
      list(input?: InputOf<'admin.orgs.list'>, options?: CallOptions): PagedCall<OutputOf<'admin.orgs.list'>, OutputOf<'admin.orgs.list'>['organizations'][number]>
      /**
       * End the suspension of an organization.
       *
       * Operation `admin.orgs.resume`; scope `admin:write`; effect `compute`.
       * @throws {@link NotFoundError}, {@link InvalidStateError}
       */
      resume(input: InputOf<'admin.orgs.resume'>, options?: CallOptions): Promise<OutputOf<'admin.orgs.resume'>>
      /**
       * Change the plan of an organization; its items get the retention of the new plan, starting now.
       *
       * Operation `admin.orgs.set_plan`; scope `admin:write`; effect `compute`.
       * @throws {@link NotFoundError}
       */
      set_plan(input: InputOf<'admin.orgs.set_plan'>, options?: CallOptions): Promise<OutputOf<'admin.orgs.set_plan'>>
      /**
       * Suspend an organization: it buys nothing more and its share links close; its members still read and download.
       *
       * Operation `admin.orgs.suspend`; scope `admin:write`; effect `destructive`.
       * @throws {@link NotFoundError}, {@link InvalidStateError}
       */
      suspend(input: InputOf<'admin.orgs.suspend'>, options?: CallOptions): Promise<OutputOf<'admin.orgs.suspend'>>
    }
    readonly rate_cards: {
      /**
       * Approve a list price that another operator has requested, before its effective date.
       *
       * Operation `admin.rate_cards.approve`; scope `admin:write`; effect `compute`.
       * @throws {@link NotFoundError}, {@link ForbiddenError}, {@link AlreadyDecidedError}, {@link InvalidStateError}
       */
      approve(input: InputOf<'admin.rate_cards.approve'>, options?: CallOptions): Promise<OutputOf<'admin.rate_cards.approve'>>
      /**
       * Request a new version of the list price of a product, which another operator has to approve.
       *
       * Operation `admin.rate_cards.create`; scope `admin:write`; effect `compute`.
       * @throws {@link NotFoundError}
       */
      create(input: InputOf<'admin.rate_cards.create'>, options?: CallOptions): Promise<OutputOf<'admin.rate_cards.create'>>
      /**
       * List the versions of the list prices of products, newest first.
       *
       * Operation `admin.rate_cards.list`; scope `admin:read`; effect `read`.
       */
      list(input?: InputOf<'admin.rate_cards.list'>, options?: CallOptions): PagedCall<OutputOf<'admin.rate_cards.list'>, OutputOf<'admin.rate_cards.list'>['rate_cards'][number]>
      /**
       * Reject a list price that was requested, or take back a request of your own.
       *
       * Operation `admin.rate_cards.reject`; scope `admin:write`; effect `compute`.
       * @throws {@link NotFoundError}, {@link AlreadyDecidedError}
       */
      reject(input: InputOf<'admin.rate_cards.reject'>, options?: CallOptions): Promise<OutputOf<'admin.rate_cards.reject'>>
    }
    readonly role_changes: {
      /**
       * Approve a change of roles that another operator has requested, which holds at once.
       *
       * Operation `admin.role_changes.approve`; scope `admin:write`; effect `compute`.
       * @throws {@link NotFoundError}, {@link ForbiddenError}, {@link AlreadyDecidedError}, {@link InvalidStateError}
       */
      approve(input: InputOf<'admin.role_changes.approve'>, options?: CallOptions): Promise<OutputOf<'admin.role_changes.approve'>>
      /**
       * List the changes of roles that operators have requested, newest first.
       *
       * Operation `admin.role_changes.list`; scope `admin:read`; effect `read`.
       */
      list(input?: InputOf<'admin.role_changes.list'>, options?: CallOptions): PagedCall<OutputOf<'admin.role_changes.list'>, OutputOf<'admin.role_changes.list'>['role_changes'][number]>
      /**
       * Reject a change of roles that was requested, or take back a request of your own.
       *
       * Operation `admin.role_changes.reject`; scope `admin:write`; effect `compute`.
       * @throws {@link NotFoundError}, {@link AlreadyDecidedError}
       */
      reject(input: InputOf<'admin.role_changes.reject'>, options?: CallOptions): Promise<OutputOf<'admin.role_changes.reject'>>
    }
    readonly stuck_work: {
      /**
       * End stuck work for good; an order is charged for what was delivered, and the rest of its hold is released.
       *
       * Operation `admin.stuck_work.cancel`; scope `admin:write`; effect `destructive`.
       * @throws {@link NotFoundError}, {@link InvalidStateError}
       */
      cancel(input: InputOf<'admin.stuck_work.cancel'>, options?: CallOptions): Promise<OutputOf<'admin.stuck_work.cancel'>>
      /**
       * List tasks, deliveries, jobs, holds, orders, uploads and cleanings that have not moved for long, oldest first.
       *
       * Operation `admin.stuck_work.list`; scope `admin:read`; effect `read`.
       * @throws {@link NotFoundError}
       */
      list(input?: InputOf<'admin.stuck_work.list'>, options?: CallOptions): Promise<OutputOf<'admin.stuck_work.list'>>
      /**
       * Release the hold of an order or job that has ended or does not exist.
       *
       * Operation `admin.stuck_work.release`; scope `admin:write`; effect `compute`.
       * @throws {@link NotFoundError}, {@link InvalidStateError}
       */
      release(input: InputOf<'admin.stuck_work.release'>, options?: CallOptions): Promise<OutputOf<'admin.stuck_work.release'>>
      /**
       * Run stuck work again at once: a task, a delivery, a job, an order, an ingestion or a cleaning.
       *
       * Operation `admin.stuck_work.retry`; scope `admin:write`; effect `compute`.
       * @throws {@link NotFoundError}, {@link InvalidStateError}
       */
      retry(input: InputOf<'admin.stuck_work.retry'>, options?: CallOptions): Promise<OutputOf<'admin.stuck_work.retry'>>
    }
    readonly support_access: {
      /**
       * Give a support access of your own back before its time is over, or take back the request for one.
       *
       * Operation `admin.support_access.end`; scope `admin:write`; effect `compute`.
       * @throws {@link NotFoundError}, {@link InvalidStateError}
       */
      end(input: InputOf<'admin.support_access.end'>, options?: CallOptions): Promise<OutputOf<'admin.support_access.end'>>
      /**
       * List what operators have asked organizations for, and were granted, newest first.
       *
       * Operation `admin.support_access.list`; scope `admin:read`; effect `read`.
       */
      list(input?: InputOf<'admin.support_access.list'>, options?: CallOptions): PagedCall<OutputOf<'admin.support_access.list'>, OutputOf<'admin.support_access.list'>['support_accesses'][number]>
      /**
       * Ask the owners of an organization for the permission to read as one of its members, for a time.
       *
       * Operation `admin.support_access.request`; scope `admin:write`; effect `compute`.
       * @throws {@link NotFoundError}, {@link InvalidStateError}
       */
      request(input: InputOf<'admin.support_access.request'>, options?: CallOptions): Promise<OutputOf<'admin.support_access.request'>>
    }
    readonly tasking: {
      /**
       * Move a tasking order to its next stage for a provider that reports by hand, or fail what is not delivered.
       *
       * Operation `admin.tasking.order_transition`; scope `admin:write`; effect `compute`.
       * @throws {@link NotFoundError}, {@link InvalidStateError}
       */
      order_transition(input: InputOf<'admin.tasking.order_transition'>, options?: CallOptions): Promise<OutputOf<'admin.tasking.order_transition'>>
      /**
       * Offer a price for a tasking order; an earlier quotation that is not decided is superseded.
       *
       * Operation `admin.tasking.quotation_upload`; scope `admin:write`; effect `compute`.
       * @throws {@link NotFoundError}, {@link InvalidStateError}
       */
      quotation_upload(input: InputOf<'admin.tasking.quotation_upload'>, options?: CallOptions): Promise<OutputOf<'admin.tasking.quotation_upload'>>
      /**
       * Answer the feasibility study of a tasking order with options, or end the order as not feasible.
       *
       * Operation `admin.tasking.study_upload`; scope `admin:write`; effect `compute`.
       * @throws {@link NotFoundError}, {@link InvalidStateError}
       */
      study_upload(input: InputOf<'admin.tasking.study_upload'>, options?: CallOptions): Promise<OutputOf<'admin.tasking.study_upload'>>
    }
    readonly users: {
      /**
       * Disable a user: they cannot sign in, and their tokens end at once; API keys that they created stay.
       *
       * Operation `admin.users.disable`; scope `admin:write`; effect `destructive`.
       * @throws {@link NotFoundError}, {@link ForbiddenError}, {@link InvalidStateError}
       */
      disable(input: InputOf<'admin.users.disable'>, options?: CallOptions): Promise<OutputOf<'admin.users.disable'>>
      /**
       * Let a disabled user sign in again.
       *
       * Operation `admin.users.enable`; scope `admin:write`; effect `compute`.
       * @throws {@link NotFoundError}, {@link InvalidStateError}
       */
      enable(input: InputOf<'admin.users.enable'>, options?: CallOptions): Promise<OutputOf<'admin.users.enable'>>
      /**
       * Issue a token that reads as a member of an organization that granted support access; it cannot write.
       *
       * Operation `admin.users.impersonate`; scope `admin:write`; effect `export`.
       * @throws {@link NotFoundError}, {@link ForbiddenError}
       */
      impersonate(input: InputOf<'admin.users.impersonate'>, options?: CallOptions): Promise<OutputOf<'admin.users.impersonate'>>
      /**
       * List the users of the platform, newest first.
       *
       * Operation `admin.users.list`; scope `admin:read`; effect `read`.
       */
      list(input?: InputOf<'admin.users.list'>, options?: CallOptions): PagedCall<OutputOf<'admin.users.list'>, OutputOf<'admin.users.list'>['users'][number]>
      /**
       * Remove the authenticator app, passkeys and recovery codes of a user who lost them; all sessions end.
       *
       * Operation `admin.users.reset_second_factor`; scope `admin:write`; effect `destructive`.
       * @throws {@link NotFoundError}, {@link InvalidStateError}
       */
      reset_second_factor(input: InputOf<'admin.users.reset_second_factor'>, options?: CallOptions): Promise<OutputOf<'admin.users.reset_second_factor'>>
      /**
       * Request that a user becomes, or stops being, an operator or a clip user; another operator approves it.
       *
       * Operation `admin.users.set_roles`; scope `admin:write`; effect `compute`.
       * @throws {@link NotFoundError}, {@link InvalidStateError}
       */
      set_roles(input: InputOf<'admin.users.set_roles'>, options?: CallOptions): Promise<OutputOf<'admin.users.set_roles'>>
    }
  }
  readonly alerts: {
    /**
     * Acknowledge an alert event.
     *
     * Operation `alerts.acknowledge_event`; scope `alerts:write`; effect `compute`.
     * @throws {@link NotFoundError}, {@link NotAMemberError}
     */
    acknowledge_event(input: InputOf<'alerts.acknowledge_event'>, options?: CallOptions): Promise<OutputOf<'alerts.acknowledge_event'>>
    /**
     * Evaluate an alert rule on past items, newest first up to a limit; nothing is stored.
     *
     * Operation `alerts.backtest_rule`; scope `alerts:read`; effect `compute`.
     * @throws {@link NotFoundError}, {@link NotAMemberError}
     */
    backtest_rule(input: InputOf<'alerts.backtest_rule'>, options?: CallOptions): Promise<OutputOf<'alerts.backtest_rule'>>
    /**
     * Create an alert rule on the pixel values of new items.
     *
     * Operation `alerts.create_rule`; scope `alerts:write`; effect `compute`.
     * @throws {@link NotFoundError}, {@link NotAMemberError}, {@link InvalidStateError}, {@link QuotaExceededError}
     */
    create_rule(input: InputOf<'alerts.create_rule'>, options?: CallOptions): Promise<OutputOf<'alerts.create_rule'>>
    /**
     * Delete an alert rule; its alert events are kept.
     *
     * Operation `alerts.delete_rule`; scope `alerts:write`; effect `destructive`.
     * @throws {@link NotFoundError}, {@link NotAMemberError}, {@link ForbiddenError}, {@link InvalidStateError}
     */
    delete_rule(input: InputOf<'alerts.delete_rule'>, options?: CallOptions): Promise<OutputOf<'alerts.delete_rule'>>
    readonly events: {
      /**
       * List alert events, newest first.
       *
       * Operation `alerts.events.list`; scope `alerts:read`; effect `read`.
       * @throws {@link NotFoundError}, {@link NotAMemberError}
       */
      list(input?: InputOf<'alerts.events.list'>, options?: CallOptions): PagedCall<OutputOf<'alerts.events.list'>, OutputOf<'alerts.events.list'>['alert_events'][number]>
    }
    readonly rule: {
      /**
       * Read an alert rule.
       *
       * Operation `alerts.rule.get`; scope `alerts:read`; effect `read`.
       * @throws {@link NotFoundError}, {@link NotAMemberError}
       */
      get(input: InputOf<'alerts.rule.get'>, options?: CallOptions): Promise<OutputOf<'alerts.rule.get'>>
    }
    readonly rules: {
      /**
       * List the alert rules of the organization.
       *
       * Operation `alerts.rules.list`; scope `alerts:read`; effect `read`.
       * @throws {@link NotFoundError}, {@link NotAMemberError}
       */
      list(input?: InputOf<'alerts.rules.list'>, options?: CallOptions): Promise<OutputOf<'alerts.rules.list'>>
    }
    /**
     * Evaluate an alert rule on one item and return whether it would trigger; nothing is stored.
     *
     * Operation `alerts.test_rule`; scope `alerts:read`; effect `read`.
     * @throws {@link NotFoundError}, {@link NotAMemberError}, {@link GoneRetentionError}, {@link UnsupportedRasterError}, {@link BudgetExceededError}, {@link UpstreamError}
     */
    test_rule(input: InputOf<'alerts.test_rule'>, options?: CallOptions): Promise<OutputOf<'alerts.test_rule'>>
    /**
     * Update an alert rule; absent fields keep their values.
     *
     * Operation `alerts.update_rule`; scope `alerts:write`; effect `compute`.
     * @throws {@link NotFoundError}, {@link NotAMemberError}, {@link ForbiddenError}, {@link InvalidStateError}
     */
    update_rule(input: InputOf<'alerts.update_rule'>, options?: CallOptions): Promise<OutputOf<'alerts.update_rule'>>
  }
  readonly analytics: {
    /**
     * Evaluate a formula over a window of a GeoTIFF.
     *
     * Operation `analytics.band_math`; scope `analytics:process`; effect `compute`.
     * @throws {@link NotFoundError}, {@link NotAMemberError}, {@link GoneRetentionError}, {@link ForbiddenError}, {@link UnsupportedRasterError}, {@link BudgetExceededError}, {@link UpstreamError}, {@link QuotaStorageError}
     */
    band_math(input: InputOf<'analytics.band_math'>, options?: CallOptions): Promise<OutputOf<'analytics.band_math'>>
    /**
     * Evaluate a standard spectral index over a window of a GeoTIFF.
     *
     * Operation `analytics.calculate_index`; scope `analytics:process`; effect `compute`.
     * @throws {@link NotFoundError}, {@link NotAMemberError}, {@link GoneRetentionError}, {@link ForbiddenError}, {@link UnsupportedRasterError}, {@link BudgetExceededError}, {@link UpstreamError}, {@link QuotaStorageError}
     */
    calculate_index(input: InputOf<'analytics.calculate_index'>, options?: CallOptions): Promise<OutputOf<'analytics.calculate_index'>>
    /**
     * Execute an analytics method; invalid parameters answer a problem with the expected schema.
     *
     * Operation `analytics.execute`; scope `analytics:process`; effect `compute`.
     * @throws {@link NotFoundError}, {@link NotAMemberError}, {@link GoneRetentionError}, {@link ForbiddenError}, {@link UnsupportedRasterError}, {@link BudgetExceededError}, {@link UpstreamError}, {@link QuotaStorageError}
     */
    execute(input: InputOf<'analytics.execute'>, options?: CallOptions): Promise<OutputOf<'analytics.execute'>>
    readonly index: {
      /**
       * Read a standard spectral index.
       *
       * Operation `analytics.index.get`; scope `analytics:read`; effect `read`.
       * @throws {@link NotFoundError}
       */
      get(input: InputOf<'analytics.index.get'>, options?: CallOptions): Promise<OutputOf<'analytics.index.get'>>
    }
    readonly indices: {
      /**
       * List the standard spectral indices.
       *
       * Operation `analytics.indices.list`; scope `analytics:read`; effect `read`.
       */
      list(input?: InputOf<'analytics.indices.list'>, options?: CallOptions): Promise<OutputOf<'analytics.indices.list'>>
    }
    readonly operations: {
      /**
       * Read an analytics method with the schema of its parameters.
       *
       * Operation `analytics.operations.get`; scope `analytics:read`; effect `read`.
       * @throws {@link NotFoundError}
       */
      get(input: InputOf<'analytics.operations.get'>, options?: CallOptions): Promise<OutputOf<'analytics.operations.get'>>
      /**
       * List the methods of `analytics.execute`.
       *
       * Operation `analytics.operations.list`; scope `analytics:read`; effect `read`.
       */
      list(input?: InputOf<'analytics.operations.list'>, options?: CallOptions): Promise<OutputOf<'analytics.operations.list'>>
    }
    readonly sensors: {
      /**
       * List the supported sensors with their bands.
       *
       * Operation `analytics.sensors.list`; scope `analytics:read`; effect `read`.
       */
      list(input?: InputOf<'analytics.sensors.list'>, options?: CallOptions): Promise<OutputOf<'analytics.sensors.list'>>
    }
    /**
     * Check the syntax of a formula and whether the sensor has its bands.
     *
     * Operation `analytics.validate_formula`; scope `analytics:read`; effect `read`.
     */
    validate_formula(input: InputOf<'analytics.validate_formula'>, options?: CallOptions): Promise<OutputOf<'analytics.validate_formula'>>
  }
  readonly api_keys: {
    /**
     * Create an API key for the organization; only this response contains the secret.
     *
     * Operation `api_keys.create`; scope `api_keys:write`; effect `export`.
     */
    create(input: InputOf<'api_keys.create'>, options?: CallOptions): Promise<OutputOf<'api_keys.create'>>
    /**
     * List the API keys of the organization without their secrets.
     *
     * Operation `api_keys.list`; scope `api_keys:read`; effect `read`.
     */
    list(input?: InputOf<'api_keys.list'>, options?: CallOptions): Promise<OutputOf<'api_keys.list'>>
    /**
     * Revoke an API key and its access tokens immediately; a key can revoke only itself.
     *
     * Operation `api_keys.revoke`; scope `api_keys:write`; effect `destructive`.
     * @throws {@link NotFoundError}, {@link ForbiddenError}, {@link UserRequiredError}
     */
    revoke(input: InputOf<'api_keys.revoke'>, options?: CallOptions): Promise<OutputOf<'api_keys.revoke'>>
  }
  readonly assets: {
    /**
     * Add an asset whose file stays at an external URL; the metadata of a GeoTIFF is read from there.
     *
     * Operation `assets.create`; scope `items:write`; effect `compute`.
     * @throws {@link QuotaStorageError}, {@link NotFoundError}, {@link NotAMemberError}, {@link InvalidStateError}, {@link GoneRetentionError}, {@link NameTakenError}, {@link ForbiddenError}, {@link UnsupportedRasterError}, {@link BudgetExceededError}, {@link UpstreamError}
     */
    create(input: InputOf<'assets.create'>, options?: CallOptions): Promise<OutputOf<'assets.create'>>
    /**
     * Delete an asset of an item; rejected while a job reads it.
     *
     * Operation `assets.delete`; scope `items:write`; effect `destructive`.
     * @throws {@link NotFoundError}, {@link NotAMemberError}, {@link InvalidStateError}
     */
    delete(input: InputOf<'assets.delete'>, options?: CallOptions): Promise<OutputOf<'assets.delete'>>
    /**
     * Read an asset of an item with its metadata.
     *
     * Operation `assets.get`; scope `items:read`; effect `read`.
     * @throws {@link NotFoundError}, {@link NotAMemberError}, {@link GoneRetentionError}
     */
    get(input: InputOf<'assets.get'>, options?: CallOptions): Promise<OutputOf<'assets.get'>>
    /**
     * Verify the size and checksum of a stored asset by reading all its bytes.
     *
     * Operation `assets.verify`; scope `items:read`; effect `compute`.
     * @throws {@link NotFoundError}, {@link NotAMemberError}, {@link GoneRetentionError}, {@link InvalidStateError}
     */
    verify(input: InputOf<'assets.verify'>, options?: CallOptions): Promise<OutputOf<'assets.verify'>>
  }
  readonly band_formulas: {
    /**
     * Create a band formula in the organization.
     *
     * Operation `band_formulas.create`; scope `band_formulas:write`; effect `compute`.
     * @throws {@link NameTakenError}
     */
    create(input: InputOf<'band_formulas.create'>, options?: CallOptions): Promise<OutputOf<'band_formulas.create'>>
    /**
     * Delete a band formula; templates cannot be deleted.
     *
     * Operation `band_formulas.delete`; scope `band_formulas:write`; effect `destructive`.
     * @throws {@link NotFoundError}
     */
    delete(input: InputOf<'band_formulas.delete'>, options?: CallOptions): Promise<OutputOf<'band_formulas.delete'>>
    /**
     * Read a band formula.
     *
     * Operation `band_formulas.get`; scope `band_formulas:read`; effect `read`.
     * @throws {@link NotFoundError}
     */
    get(input: InputOf<'band_formulas.get'>, options?: CallOptions): Promise<OutputOf<'band_formulas.get'>>
    /**
     * List the band formulas of the organization and, by default, the templates.
     *
     * Operation `band_formulas.list`; scope `band_formulas:read`; effect `read`.
     */
    list(input?: InputOf<'band_formulas.list'>, options?: CallOptions): Promise<OutputOf<'band_formulas.list'>>
    /**
     * Update a band formula; templates are read-only.
     *
     * Operation `band_formulas.update`; scope `band_formulas:write`; effect `compute`.
     * @throws {@link NotFoundError}, {@link NameTakenError}
     */
    update(input: InputOf<'band_formulas.update'>, options?: CallOptions): Promise<OutputOf<'band_formulas.update'>>
  }
  readonly billing: {
    readonly approvals: {
      /**
       * Approve a top-up request and charge the default card; the requester cannot approve it.
       *
       * Operation `billing.approvals.approve`; scope `billing:write`; effect `spend`.
       * @throws {@link NotFoundError}, {@link AlreadyDecidedError}, {@link GoneExpiredError}, {@link UpstreamError}, {@link PastDueError}, {@link InsufficientCreditsError}, {@link PaymentDeclinedError}, {@link PaymentActionRequiredError}, {@link SpendLimitExceededError}
       */
      approve(input: InputOf<'billing.approvals.approve'>, options?: SpendOptions): Promise<OutputOf<'billing.approvals.approve'>>
      /**
       * Read a top-up request.
       *
       * Operation `billing.approvals.get`; scope `billing:read`; effect `read`.
       * @throws {@link NotFoundError}
       */
      get(input: InputOf<'billing.approvals.get'>, options?: CallOptions): Promise<OutputOf<'billing.approvals.get'>>
      /**
       * List the top-up requests.
       *
       * Operation `billing.approvals.list`; scope `billing:read`; effect `read`.
       */
      list(input?: InputOf<'billing.approvals.list'>, options?: CallOptions): Promise<OutputOf<'billing.approvals.list'>>
      /**
       * Reject a top-up request.
       *
       * Operation `billing.approvals.reject`; scope `billing:write`; effect `compute`.
       * @throws {@link NotFoundError}, {@link AlreadyDecidedError}, {@link GoneExpiredError}
       */
      reject(input: InputOf<'billing.approvals.reject'>, options?: CallOptions): Promise<OutputOf<'billing.approvals.reject'>>
      /**
       * Request a top-up that another person must approve.
       *
       * Operation `billing.approvals.request`; scope `billing:write`; effect `compute`.
       */
      request(input: InputOf<'billing.approvals.request'>, options?: CallOptions): Promise<OutputOf<'billing.approvals.request'>>
    }
    readonly auto_topup: {
      /**
       * Read the automatic top-up settings.
       *
       * Operation `billing.auto_topup.get`; scope `billing:read`; effect `read`.
       */
      get(input?: InputOf<'billing.auto_topup.get'>, options?: CallOptions): Promise<OutputOf<'billing.auto_topup.get'>>
    }
    readonly budgets: {
      /**
       * Read the budget of a member or of a project.
       *
       * Operation `billing.budgets.get`; scope `billing:read`; effect `read`.
       * @throws {@link NotFoundError}, {@link NotAMemberError}
       */
      get(input: InputOf<'billing.budgets.get'>, options?: CallOptions): Promise<OutputOf<'billing.budgets.get'>>
      /**
       * List the budgets that the caller can see: the spend limits of members, and their projects.
       *
       * Operation `billing.budgets.list`; scope `billing:read`; effect `read`.
       */
      list(input?: InputOf<'billing.budgets.list'>, options?: CallOptions): PagedCall<OutputOf<'billing.budgets.list'>, OutputOf<'billing.budgets.list'>['content'][number]>
      /**
       * Read whether the limits of budgets are enforced.
       *
       * Operation `billing.budgets.settings`; scope `billing:read`; effect `read`.
       */
      settings(input?: InputOf<'billing.budgets.settings'>, options?: CallOptions): Promise<OutputOf<'billing.budgets.settings'>>
      /**
       * Read the credits that are held for, or were charged to, a member or a project.
       *
       * Operation `billing.budgets.usage`; scope `billing:read`; effect `read`.
       * @throws {@link NotFoundError}, {@link NotAMemberError}
       */
      usage(input: InputOf<'billing.budgets.usage'>, options?: CallOptions): Promise<OutputOf<'billing.budgets.usage'>>
    }
    readonly charge: {
      /**
       * Explain a charge line by line: quantity, rate, price date, discount, tax, hold and settlement.
       *
       * Operation `billing.charge.explain`; scope `billing:read`; effect `read`.
       * @throws {@link NotFoundError}, {@link NotAMemberError}, {@link ForbiddenError}
       */
      explain(input?: InputOf<'billing.charge.explain'>, options?: CallOptions): Promise<OutputOf<'billing.charge.explain'>>
    }
    /**
     * Close the accounts of organizations whose deletion date has passed and that have no pending work.
     *
     * Operation `billing.cleanup_deleted_orgs`; scope `admin:write`; effect `destructive`.
     */
    cleanup_deleted_orgs(input?: InputOf<'billing.cleanup_deleted_orgs'>, options?: CallOptions): Promise<OutputOf<'billing.cleanup_deleted_orgs'>>
    readonly credits: {
      /**
       * Read the credits that are available and held, with the lots they come from.
       *
       * Operation `billing.credits.balance`; scope `billing:read`; effect `read`.
       */
      balance(input?: InputOf<'billing.credits.balance'>, options?: CallOptions): Promise<OutputOf<'billing.credits.balance'>>
      /**
       * List the transactions of the wallet, newest first.
       *
       * Operation `billing.credits.transactions`; scope `billing:read`; effect `read`.
       */
      transactions(input?: InputOf<'billing.credits.transactions'>, options?: CallOptions): PagedCall<OutputOf<'billing.credits.transactions'>, OutputOf<'billing.credits.transactions'>['transactions'][number]>
    }
    readonly deletions: {
      /**
       * List the organizations scheduled for deletion, with the date.
       *
       * Operation `billing.deletions.pending`; scope `admin:read`; effect `read`.
       */
      pending(input?: InputOf<'billing.deletions.pending'>, options?: CallOptions): Promise<OutputOf<'billing.deletions.pending'>>
    }
    readonly dlq: {
      /**
       * List the billing tasks that have used up their retries (dead letters), oldest first.
       *
       * Operation `billing.dlq.list_pending`; scope `admin:read`; effect `read`.
       */
      list_pending(input?: InputOf<'billing.dlq.list_pending'>, options?: CallOptions): Promise<OutputOf<'billing.dlq.list_pending'>>
      /**
       * Retry the oldest dead letters of billing.
       *
       * Operation `billing.dlq.replay`; scope `admin:write`; effect `compute`.
       */
      replay(input?: InputOf<'billing.dlq.replay'>, options?: CallOptions): Promise<OutputOf<'billing.dlq.replay'>>
    }
    readonly enterprise: {
      /**
       * Read the accrued charges of an enterprise organization in a month.
       *
       * Operation `billing.enterprise.accrual`; scope `admin:read`; effect `read`.
       * @throws {@link NotFoundError}
       */
      accrual(input: InputOf<'billing.enterprise.accrual'>, options?: CallOptions): Promise<OutputOf<'billing.enterprise.accrual'>>
      /**
       * Mark accruals as invoiced externally under a reference; the monthly billing run then skips them.
       *
       * Operation `billing.enterprise.mark_invoiced`; scope `admin:write`; effect `compute`.
       * @throws {@link NotFoundError}, {@link InvalidStateError}
       */
      mark_invoiced(input: InputOf<'billing.enterprise.mark_invoiced'>, options?: CallOptions): Promise<OutputOf<'billing.enterprise.mark_invoiced'>>
    }
    /**
     * Estimate what will have been spent at the end of the month, at the pace of the last 30 days.
     *
     * Operation `billing.forecast`; scope `billing:read`; effect `read`.
     * @throws {@link NotFoundError}
     */
    forecast(input: InputOf<'billing.forecast'>, options?: CallOptions): Promise<OutputOf<'billing.forecast'>>
    readonly free_tier: {
      /**
       * Approve an organization for the free plan and grant its first credits.
       *
       * Operation `billing.free_tier.approve`; scope `admin:write`; effect `compute`.
       * @throws {@link NotFoundError}, {@link AlreadyDecidedError}
       */
      approve(input: InputOf<'billing.free_tier.approve'>, options?: CallOptions): Promise<OutputOf<'billing.free_tier.approve'>>
      /**
       * Grant the monthly credits to every organization on the free plan, once per month.
       *
       * Operation `billing.free_tier.grant_all`; scope `admin:write`; effect `compute`.
       */
      grant_all(input?: InputOf<'billing.free_tier.grant_all'>, options?: CallOptions): Promise<OutputOf<'billing.free_tier.grant_all'>>
      /**
       * List the organizations that wait for approval for the free plan.
       *
       * Operation `billing.free_tier.list_pending`; scope `admin:read`; effect `read`.
       */
      list_pending(input?: InputOf<'billing.free_tier.list_pending'>, options?: CallOptions): Promise<OutputOf<'billing.free_tier.list_pending'>>
      /**
       * Remove an organization from the free plan and expire its free credits.
       *
       * Operation `billing.free_tier.revoke`; scope `admin:write`; effect `compute`.
       * @throws {@link NotFoundError}, {@link InvalidStateError}
       */
      revoke(input: InputOf<'billing.free_tier.revoke'>, options?: CallOptions): Promise<OutputOf<'billing.free_tier.revoke'>>
    }
    readonly invoices: {
      /**
       * Download an invoice, receipt or credit note as PDF or UBL 2.1 (EN 16931, PINT A-NZ), or its lines as CSV.
       *
       * Operation `billing.invoices.download`; scope `billing:read`; effect `read`.
       * @throws {@link NotFoundError}, {@link InvalidStateError}
       */
      download(input: InputOf<'billing.invoices.download'>, options?: CallOptions): Promise<Uint8Array>
      /**
       * Read an invoice, receipt or credit note.
       *
       * Operation `billing.invoices.get`; scope `billing:read`; effect `read`.
       * @throws {@link NotFoundError}
       */
      get(input: InputOf<'billing.invoices.get'>, options?: CallOptions): Promise<OutputOf<'billing.invoices.get'>>
      /**
       * List the invoices, receipts and credit notes of the platform, newest first.
       *
       * Operation `billing.invoices.list`; scope `billing:read`; effect `read`.
       */
      list(input?: InputOf<'billing.invoices.list'>, options?: CallOptions): Promise<OutputOf<'billing.invoices.list'>>
    }
    readonly jobs: {
      /**
       * Settle or release the holds of jobs that have ended.
       *
       * Operation `billing.jobs.settle_unsettled`; scope `admin:write`; effect `spend`.
       * @throws {@link NotFoundError}, {@link SpendLimitExceededError}
       */
      settle_unsettled(input?: InputOf<'billing.jobs.settle_unsettled'>, options?: SpendOptions): Promise<OutputOf<'billing.jobs.settle_unsettled'>>
    }
    readonly ledger: {
      /**
       * Stream the journal, oldest entry first, with the hash chain for independent verification.
       *
       * Operation `billing.ledger.export`; scope `billing:read`; effect `export`.
       */
      export(input?: InputOf<'billing.ledger.export'>, options?: CallOptions): AsyncGenerator<OutputOf<'billing.ledger.export'>>
      /**
       * Verify the whole journal: hashes, sums, positions, and the balances derived from it.
       *
       * Operation `billing.ledger.verify`; scope `billing:read`; effect `read`.
       */
      verify(input?: InputOf<'billing.ledger.verify'>, options?: CallOptions): Promise<OutputOf<'billing.ledger.verify'>>
    }
    readonly lots: {
      /**
       * List the credit lots with their used, expired and remaining amounts, newest first.
       *
       * Operation `billing.lots.list`; scope `billing:read`; effect `read`.
       */
      list(input?: InputOf<'billing.lots.list'>, options?: CallOptions): PagedCall<OutputOf<'billing.lots.list'>, OutputOf<'billing.lots.list'>['lots'][number]>
    }
    readonly plans: {
      /**
       * List the plans.
       *
       * Operation `billing.plans.list`; scope `billing:read`; effect `read`.
       */
      list(input?: InputOf<'billing.plans.list'>, options?: CallOptions): Promise<OutputOf<'billing.plans.list'>>
    }
    readonly reconciliation: {
      /**
       * Add journal rows for stored assets that have none.
       *
       * Operation `billing.reconciliation.backfill_missing`; scope `admin:write`; effect `compute`.
       * @throws {@link NotFoundError}
       */
      backfill_missing(input: InputOf<'billing.reconciliation.backfill_missing'>, options?: CallOptions): Promise<OutputOf<'billing.reconciliation.backfill_missing'>>
      /**
       * Correct the storage journal of an organization or of one asset; credits do not change.
       *
       * Operation `billing.reconciliation.correct_drift`; scope `admin:write`; effect `spend`.
       * @throws {@link NotFoundError}, {@link InvalidStateError}
       */
      correct_drift(input: InputOf<'billing.reconciliation.correct_drift'>, options?: SpendOptions): Promise<OutputOf<'billing.reconciliation.correct_drift'>>
      /**
       * List the assets of an organization whose journalled and stored bytes differ.
       *
       * Operation `billing.reconciliation.detect_drift`; scope `admin:read`; effect `read`.
       * @throws {@link NotFoundError}
       */
      detect_drift(input: InputOf<'billing.reconciliation.detect_drift'>, options?: CallOptions): Promise<OutputOf<'billing.reconciliation.detect_drift'>>
      /**
       * List the corrections of the storage journal, newest first.
       *
       * Operation `billing.reconciliation.list_corrections`; scope `admin:read`; effect `read`.
       */
      list_corrections(input?: InputOf<'billing.reconciliation.list_corrections'>, options?: CallOptions): Promise<OutputOf<'billing.reconciliation.list_corrections'>>
      /**
       * List the reconciliation runs, newest first.
       *
       * Operation `billing.reconciliation.list_runs`; scope `admin:read`; effect `read`.
       */
      list_runs(input?: InputOf<'billing.reconciliation.list_runs'>, options?: CallOptions): Promise<OutputOf<'billing.reconciliation.list_runs'>>
      /**
       * Reverse journal rows of bytes that are no longer stored.
       *
       * Operation `billing.reconciliation.remove_stale`; scope `admin:write`; effect `compute`.
       * @throws {@link NotFoundError}
       */
      remove_stale(input: InputOf<'billing.reconciliation.remove_stale'>, options?: CallOptions): Promise<OutputOf<'billing.reconciliation.remove_stale'>>
      /**
       * Compare the storage journal with the stored bytes, for one organization.
       *
       * Operation `billing.reconciliation.run`; scope `admin:write`; effect `compute`.
       * @throws {@link NotFoundError}
       */
      run(input: InputOf<'billing.reconciliation.run'>, options?: CallOptions): Promise<OutputOf<'billing.reconciliation.run'>>
      /**
       * Compare the storage journal with the stored bytes, for every organization.
       *
       * Operation `billing.reconciliation.run_all`; scope `admin:write`; effect `compute`.
       */
      run_all(input?: InputOf<'billing.reconciliation.run_all'>, options?: CallOptions): Promise<OutputOf<'billing.reconciliation.run_all'>>
      /**
       * Correct assets with negative journalled bytes to zero.
       *
       * Operation `billing.reconciliation.zero_negative_nets`; scope `admin:write`; effect `compute`.
       * @throws {@link NotFoundError}
       */
      zero_negative_nets(input: InputOf<'billing.reconciliation.zero_negative_nets'>, options?: CallOptions): Promise<OutputOf<'billing.reconciliation.zero_negative_nets'>>
    }
    readonly refunds: {
      /**
       * Refund unspent credits of a top-up to the card that paid for them.
       *
       * Operation `billing.refunds.request`; scope `billing:write`; effect `spend`.
       * @throws {@link NotFoundError}, {@link InvalidStateError}, {@link SpendLimitExceededError}
       */
      request(input: InputOf<'billing.refunds.request'>, options?: SpendOptions): Promise<OutputOf<'billing.refunds.request'>>
    }
    /**
     * Close the previous month for every organization, each in its own transaction.
     *
     * Operation `billing.run_monthly_cron`; scope `admin:write`; effect `spend`.
     * @throws {@link SpendLimitExceededError}
     */
    run_monthly_cron(input?: InputOf<'billing.run_monthly_cron'>, options?: SpendOptions): Promise<OutputOf<'billing.run_monthly_cron'>>
    /**
     * Close the previous month for an organization: true up, invoice, expire, grant; repeating it has no effect.
     *
     * Operation `billing.run_monthly_for_org`; scope `billing:write`; effect `spend`.
     * @throws {@link NotFoundError}, {@link InvalidStateError}, {@link SpendLimitExceededError}
     */
    run_monthly_for_org(input: InputOf<'billing.run_monthly_for_org'>, options?: SpendOptions): Promise<OutputOf<'billing.run_monthly_for_org'>>
    /**
     * Configure automatic top-up of the wallet; it requires a default card.
     *
     * Operation `billing.set_auto_topup`; scope `billing:write`; effect `compute`.
     * @throws {@link InvalidStateError}, {@link SpendLimitExceededError}
     */
    set_auto_topup(input: InputOf<'billing.set_auto_topup'>, options?: CallOptions): Promise<OutputOf<'billing.set_auto_topup'>>
    /**
     * Set what the cards of the organization may be charged for credits in a day.
     *
     * Operation `billing.set_daily_topup_limit`; scope `billing:write`; effect `compute`.
     */
    set_daily_topup_limit(input: InputOf<'billing.set_daily_topup_limit'>, options?: CallOptions): Promise<OutputOf<'billing.set_daily_topup_limit'>>
    readonly status: {
      /**
       * Read the plan and the payment status of an organization.
       *
       * Operation `billing.status.get`; scope `billing:read`; effect `read`.
       * @throws {@link NotFoundError}
       */
      get(input: InputOf<'billing.status.get'>, options?: CallOptions): Promise<OutputOf<'billing.status.get'>>
    }
    readonly stripe_invoices: {
      /**
       * List the invoices of the payment processor, newest first; empty if none is configured.
       *
       * Operation `billing.stripe_invoices.list`; scope `billing:read`; effect `read`.
       * @throws {@link PaymentDeclinedError}, {@link UpstreamError}
       */
      list(input?: InputOf<'billing.stripe_invoices.list'>, options?: CallOptions): Promise<OutputOf<'billing.stripe_invoices.list'>>
    }
    /**
     * Charge a saved card and grant the credits; an `Idempotency-Key` prevents a double charge.
     *
     * Operation `billing.topup`; scope `billing:write`; effect `spend`.
     * @throws {@link SpendLimitExceededError}, {@link NotFoundError}, {@link PaymentDeclinedError}, {@link PaymentActionRequiredError}, {@link UpstreamError}
     */
    topup(input: InputOf<'billing.topup'>, options?: SpendOptions): Promise<OutputOf<'billing.topup'>>
  }
  readonly catalog: {
    /**
     * Measure cloud and coverage within an area in scenes of a host.
     *
     * Operation `catalog.aoi_score`; scope `catalog:read`; effect `compute`.
     * @throws {@link NotFoundError}, {@link UpstreamError}
     */
    aoi_score(input: InputOf<'catalog.aoi_score'>, options?: CallOptions): Promise<OutputOf<'catalog.aoi_score'>>
    /**
     * Compare what an area costs in the collections of all hosts, the cheapest first.
     *
     * Operation `catalog.compare_prices`; scope `catalog:read`; effect `read`.
     * @throws {@link NotFoundError}, {@link ConflictingParametersError}, {@link UpstreamError}
     */
    compare_prices(input: InputOf<'catalog.compare_prices'>, options?: CallOptions): Promise<OutputOf<'catalog.compare_prices'>>
    /**
     * Search all hosts at once; the response names hosts that failed.
     *
     * Operation `catalog.federated_search`; scope `catalog:read`; effect `read`.
     * @throws {@link NotFoundError}, {@link ConflictingParametersError}, {@link UpstreamError}
     */
    federated_search(input?: InputOf<'catalog.federated_search'>, options?: CallOptions): PagedCall<OutputOf<'catalog.federated_search'>, OutputOf<'catalog.federated_search'>['features'][number]>
    /**
     * Read the points of a granule within a bounding box, subsampled if there are too many.
     *
     * Operation `catalog.granule_points`; scope `catalog:read`; effect `read`.
     * @throws {@link NotFoundError}, {@link NotAMemberError}, {@link GoneRetentionError}, {@link ForbiddenError}, {@link UnsupportedRasterError}, {@link BudgetExceededError}, {@link UpstreamError}
     */
    granule_points(input: InputOf<'catalog.granule_points'>, options?: CallOptions): Promise<OutputOf<'catalog.granule_points'>>
    readonly image: {
      /**
       * Fetch the quicklook of a scene.
       *
       * Operation `catalog.image.quicklook`; scope `catalog:read`; effect `read`.
       * @throws {@link NotFoundError}, {@link ForbiddenError}, {@link UnsupportedRasterError}, {@link BudgetExceededError}, {@link UpstreamError}
       */
      quicklook(input: InputOf<'catalog.image.quicklook'>, options?: CallOptions): Promise<Uint8Array>
      /**
       * Fetch the thumbnail of a scene.
       *
       * Operation `catalog.image.thumbnail`; scope `catalog:read`; effect `read`.
       * @throws {@link NotFoundError}, {@link ForbiddenError}, {@link UnsupportedRasterError}, {@link BudgetExceededError}, {@link UpstreamError}
       */
      thumbnail(input: InputOf<'catalog.image.thumbnail'>, options?: CallOptions): Promise<Uint8Array>
    }
    readonly info: {
      /**
       * Describe the bands, bounds and zoom levels of a Landsat scene.
       *
       * Operation `catalog.info.landsat`; scope `tiles:read`; effect `read`.
       * @throws {@link NotFoundError}, {@link ForbiddenError}, {@link UnsupportedRasterError}, {@link BudgetExceededError}, {@link UpstreamError}
       */
      landsat(input: InputOf<'catalog.info.landsat'>, options?: CallOptions): Promise<OutputOf<'catalog.info.landsat'>>
      /**
       * Describe the bands, bounds and zoom levels of a NAIP scene.
       *
       * Operation `catalog.info.naip`; scope `tiles:read`; effect `read`.
       * @throws {@link NotFoundError}, {@link ForbiddenError}, {@link UnsupportedRasterError}, {@link BudgetExceededError}, {@link UpstreamError}
       */
      naip(input: InputOf<'catalog.info.naip'>, options?: CallOptions): Promise<OutputOf<'catalog.info.naip'>>
      /**
       * Describe the bands, bounds and zoom levels of a sample scene.
       *
       * Operation `catalog.info.sample`; scope `tiles:read`; effect `read`.
       * @throws {@link NotFoundError}, {@link ForbiddenError}, {@link UnsupportedRasterError}, {@link BudgetExceededError}, {@link UpstreamError}
       */
      sample(input: InputOf<'catalog.info.sample'>, options?: CallOptions): Promise<OutputOf<'catalog.info.sample'>>
      /**
       * Describe the bands, bounds and zoom levels of a Sentinel scene.
       *
       * Operation `catalog.info.sentinel`; scope `tiles:read`; effect `read`.
       * @throws {@link NotFoundError}, {@link ForbiddenError}, {@link UnsupportedRasterError}, {@link BudgetExceededError}, {@link UpstreamError}
       */
      sentinel(input: InputOf<'catalog.info.sentinel'>, options?: CallOptions): Promise<OutputOf<'catalog.info.sentinel'>>
    }
    readonly places: {
      /**
       * Find countries, regions and settlements by name, or read a position; nothing is asked of another server.
       *
       * Operation `catalog.places.search`; scope `catalog:read`; effect `read`.
       */
      search(input: InputOf<'catalog.places.search'>, options?: CallOptions): Promise<OutputOf<'catalog.places.search'>>
    }
    readonly provider: {
      /**
       * List the sample scenes of a provider.
       *
       * Operation `catalog.provider.samples`; scope `tiles:read`; effect `read`.
       * @throws {@link NotFoundError}, {@link UpstreamError}
       */
      samples(input: InputOf<'catalog.provider.samples'>, options?: CallOptions): PagedCall<OutputOf<'catalog.provider.samples'>, OutputOf<'catalog.provider.samples'>['samples'][number]>
    }
    readonly providers: {
      /**
       * List the providers whose scenes can be rendered.
       *
       * Operation `catalog.providers.list`; scope `tiles:read`; effect `read`.
       */
      list(input?: InputOf<'catalog.providers.list'>, options?: CallOptions): Promise<OutputOf<'catalog.providers.list'>>
    }
    readonly search: {
      /**
       * Search the catalogue of one host; scenes for sale include their price.
       *
       * Operation `catalog.search`; scope `catalog:read`; effect `read`.
       * @throws {@link NotFoundError}, {@link ConflictingParametersError}, {@link UpstreamError}
       */
      (input: InputOf<'catalog.search'>, options?: CallOptions): PagedCall<OutputOf<'catalog.search'>, OutputOf<'catalog.search'>['features'][number]>
      /**
       * Delete a saved search; standing orders that follow it are suspended.
       *
       * Operation `catalog.search.delete`; scope `catalog:write`; effect `destructive`.
       * @throws {@link NotFoundError}, {@link NotAMemberError}, {@link InvalidStateError}
       */
      delete(input: InputOf<'catalog.search.delete'>, options?: CallOptions): Promise<OutputOf<'catalog.search.delete'>>
      /**
       * List the saved searches of the projects of the caller, newest first.
       *
       * Operation `catalog.search.list`; scope `catalog:read`; effect `read`.
       * @throws {@link NotFoundError}, {@link NotAMemberError}
       */
      list(input?: InputOf<'catalog.search.list'>, options?: CallOptions): PagedCall<OutputOf<'catalog.search.list'>, OutputOf<'catalog.search.list'>['searches'][number]>
      /**
       * Save a search of the catalogue; new scenes are looked for and announced as an event.
       *
       * Operation `catalog.search.save`; scope `catalog:write`; effect `compute`.
       * @throws {@link NotFoundError}, {@link NotAMemberError}, {@link InvalidStateError}, {@link NameTakenError}, {@link ConflictingParametersError}, {@link UpstreamError}
       */
      save(input: InputOf<'catalog.search.save'>, options?: CallOptions): Promise<OutputOf<'catalog.search.save'>>
    }
    /**
     * Search one host, or all, and stream the scenes as newline-delimited JSON.
     *
     * Operation `catalog.search_stream`; scope `catalog:read`; effect `read`.
     * @throws {@link NotFoundError}, {@link ConflictingParametersError}, {@link UpstreamError}
     */
    search_stream(input?: InputOf<'catalog.search_stream'>, options?: CallOptions): AsyncGenerator<OutputOf<'catalog.search_stream'>>
    readonly sources: {
      /**
       * List the hosts that can be searched, with their collections.
       *
       * Operation `catalog.sources.list`; scope `catalog:read`; effect `read`.
       */
      list(input?: InputOf<'catalog.sources.list'>, options?: CallOptions): Promise<OutputOf<'catalog.sources.list'>>
    }
    readonly stac: {
      readonly collections: {
        /**
         * Read a collection of the hosts as a STAC Collection.
         *
         * Operation `catalog.stac.collections.get`; scope `catalog:read`; effect `read`.
         * @throws {@link NotFoundError}
         */
        get(input: InputOf<'catalog.stac.collections.get'>, options?: CallOptions): Promise<OutputOf<'catalog.stac.collections.get'>>
        /**
         * List the collections of all hosts as STAC Collections.
         *
         * Operation `catalog.stac.collections.list`; scope `catalog:read`; effect `read`.
         */
        list(input?: InputOf<'catalog.stac.collections.list'>, options?: CallOptions): Promise<OutputOf<'catalog.stac.collections.list'>>
      }
      /**
       * Read the landing page of the STAC API of the catalogue with its conformance classes and links.
       *
       * Operation `catalog.stac.landing`; scope `catalog:read`; effect `read`.
       */
      landing(input?: InputOf<'catalog.stac.landing'>, options?: CallOptions): Promise<OutputOf<'catalog.stac.landing'>>
      /**
       * Search all hosts as the STAC API defines it, newest scenes first.
       *
       * Operation `catalog.stac.search`; scope `catalog:read`; effect `read`.
       * @throws {@link NotFoundError}, {@link ConflictingParametersError}, {@link UpstreamError}
       */
      search(input?: InputOf<'catalog.stac.search'>, options?: CallOptions): PagedCall<OutputOf<'catalog.stac.search'>, OutputOf<'catalog.stac.search'>['features'][number]>
    }
    readonly tile: {
      /**
       * Render a preview tile of a catalogue scene.
       *
       * Operation `catalog.tile.render`; scope `tiles:read`; effect `read`.
       * @throws {@link NotFoundError}, {@link ForbiddenError}, {@link UnsupportedRasterError}, {@link BudgetExceededError}, {@link UpstreamError}
       */
      render(input: InputOf<'catalog.tile.render'>, options?: CallOptions): Promise<Uint8Array>
    }
    readonly vendors: {
      /**
       * List the vendors whose imagery can be ordered.
       *
       * Operation `catalog.vendors.list`; scope `catalog:read`; effect `read`.
       */
      list(input?: InputOf<'catalog.vendors.list'>, options?: CallOptions): Promise<OutputOf<'catalog.vendors.list'>>
    }
    readonly viz: {
      /**
       * List the rendering presets for Landsat scenes.
       *
       * Operation `catalog.viz.landsat`; scope `tiles:read`; effect `read`.
       */
      landsat(input?: InputOf<'catalog.viz.landsat'>, options?: CallOptions): Promise<OutputOf<'catalog.viz.landsat'>>
      /**
       * List the rendering presets for NAIP scenes.
       *
       * Operation `catalog.viz.naip`; scope `tiles:read`; effect `read`.
       */
      naip(input?: InputOf<'catalog.viz.naip'>, options?: CallOptions): Promise<OutputOf<'catalog.viz.naip'>>
    }
  }
  readonly clip: {
    readonly area: {
      /**
       * Read an area with its mosaic types.
       *
       * Operation `clip.area.metadata`; scope `clip:read`; effect `read`.
       * @throws {@link NotFoundError}
       */
      metadata(input: InputOf<'clip.area.metadata'>, options?: CallOptions): Promise<OutputOf<'clip.area.metadata'>>
      /**
       * List the mosaics of an area.
       *
       * Operation `clip.area.mosaics`; scope `clip:read`; effect `read`.
       * @throws {@link NotFoundError}
       */
      mosaics(input: InputOf<'clip.area.mosaics'>, options?: CallOptions): Promise<OutputOf<'clip.area.mosaics'>>
    }
    readonly areas: {
      /**
       * List the areas that have mosaics.
       *
       * Operation `clip.areas.list`; scope `clip:read`; effect `read`.
       */
      list(input?: InputOf<'clip.areas.list'>, options?: CallOptions): Promise<OutputOf<'clip.areas.list'>>
    }
    /**
     * Clip mosaics of an area to a polygon.
     *
     * Operation `clip.create_from_area`; scope `clip:write`; effect `spend`.
     * @throws {@link NotFoundError}, {@link NotAMemberError}, {@link GoneRetentionError}, {@link UnsupportedRasterError}, {@link BudgetExceededError}, {@link ForbiddenError}, {@link UpstreamError}, {@link InvalidStateError}, {@link PastDueError}, {@link InsufficientCreditsError}, {@link PaymentDeclinedError}, {@link PaymentActionRequiredError}, {@link SpendLimitExceededError}, {@link QuotaStorageError}
     */
    create_from_area(input: InputOf<'clip.create_from_area'>, options?: SpendOptions): Promise<OutputOf<'clip.create_from_area'>>
    /**
     * Clip assets of an item to a polygon and store the result as a new item.
     *
     * Operation `clip.create_from_item`; scope `processing:process`; effect `spend`.
     * @throws {@link NotFoundError}, {@link NotAMemberError}, {@link GoneRetentionError}, {@link UnsupportedRasterError}, {@link BudgetExceededError}, {@link ForbiddenError}, {@link UpstreamError}, {@link InvalidStateError}, {@link PastDueError}, {@link InsufficientCreditsError}, {@link PaymentDeclinedError}, {@link PaymentActionRequiredError}, {@link SpendLimitExceededError}, {@link QuotaStorageError}
     */
    create_from_item(input: InputOf<'clip.create_from_item'>, options?: SpendOptions): Promise<OutputOf<'clip.create_from_item'>>
    readonly job: {
      /**
       * Delete a clip job that has ended.
       *
       * Operation `clip.job.delete`; scope `clip:destroy`; effect `destructive`.
       * @throws {@link NotFoundError}, {@link NotAMemberError}, {@link InvalidStateError}
       */
      delete(input: InputOf<'clip.job.delete'>, options?: CallOptions): Promise<OutputOf<'clip.job.delete'>>
      /**
       * Issue a signed URL for one mosaic of a clip job.
       *
       * Operation `clip.job.download`; scope `clip:read`; effect `read`.
       * @throws {@link NotFoundError}, {@link NotAMemberError}, {@link InvalidStateError}, {@link GoneRetentionError}, {@link PastDueError}, {@link DownloadCapError}, {@link BandwidthBreakerError}
       */
      download(input: InputOf<'clip.job.download'>, options?: CallOptions): Promise<OutputOf<'clip.job.download'>>
      /**
       * List the downloads of the results of a clip job.
       *
       * Operation `clip.job.downloads`; scope `clip:read`; effect `read`.
       * @throws {@link NotFoundError}
       */
      downloads(input: InputOf<'clip.job.downloads'>, options?: CallOptions): Promise<OutputOf<'clip.job.downloads'>>
      /**
       * Read a clip job.
       *
       * Operation `clip.job.get`; scope `clip:read`; effect `read`.
       * @throws {@link NotFoundError}
       */
      get(input: InputOf<'clip.job.get'>, options?: CallOptions): Promise<OutputOf<'clip.job.get'>>
      /**
       * Read the tile URLs of the results of a clip job.
       *
       * Operation `clip.job.tile_info`; scope `clip:read`; effect `read`.
       * @throws {@link NotFoundError}
       */
      tile_info(input: InputOf<'clip.job.tile_info'>, options?: CallOptions): Promise<OutputOf<'clip.job.tile_info'>>
    }
    readonly jobs: {
      /**
       * List the clip jobs of an organization, newest first.
       *
       * Operation `clip.jobs.list`; scope `clip:read`; effect `read`.
       * @throws {@link NotFoundError}
       */
      list(input: InputOf<'clip.jobs.list'>, options?: CallOptions): PagedCall<OutputOf<'clip.jobs.list'>, OutputOf<'clip.jobs.list'>['jobs'][number]>
    }
  }
  readonly cog: {
    /**
     * List the colormaps, or render one of them as a legend.
     *
     * Operation `cog.colormaps`; scope `tiles:read`; effect `read`.
     */
    colormaps(input?: InputOf<'cog.colormaps'>, options?: CallOptions): Promise<OutputOf<'cog.colormaps'>>
    /**
     * List the formulas of the standard spectral indices.
     *
     * Operation `cog.formulas`; scope `tiles:read`; effect `read`.
     */
    formulas(input?: InputOf<'cog.formulas'>, options?: CallOptions): Promise<OutputOf<'cog.formulas'>>
    /**
     * Compute statistics of the bands of a GeoTIFF, or of an expression, within an area.
     *
     * Operation `cog.statistics`; scope `tiles:read`; effect `read`.
     * @throws {@link NotFoundError}, {@link NotAMemberError}, {@link GoneRetentionError}, {@link ForbiddenError}, {@link UnsupportedRasterError}, {@link BudgetExceededError}, {@link UpstreamError}
     */
    statistics(input: InputOf<'cog.statistics'>, options?: CallOptions): Promise<OutputOf<'cog.statistics'>>
    /**
     * Render a thumbnail of a GeoTIFF as JPEG.
     *
     * Operation `cog.thumbnail`; scope `tiles:read`; effect `read`.
     * @throws {@link NotFoundError}, {@link NotAMemberError}, {@link GoneRetentionError}, {@link ForbiddenError}, {@link UnsupportedRasterError}, {@link BudgetExceededError}, {@link UpstreamError}
     */
    thumbnail(input: InputOf<'cog.thumbnail'>, options?: CallOptions): Promise<Uint8Array>
    readonly tile: {
      /**
       * Render a tile of a GeoTIFF by its URL.
       *
       * Operation `cog.tile.render`; scope `tiles:read`; effect `read`.
       * @throws {@link NotFoundError}, {@link NotAMemberError}, {@link GoneRetentionError}, {@link ForbiddenError}, {@link UnsupportedRasterError}, {@link BudgetExceededError}, {@link UpstreamError}
       */
      render(input: InputOf<'cog.tile.render'>, options?: CallOptions): Promise<Uint8Array>
      /**
       * Render a tile of an elevation model as terrain-RGB.
       *
       * Operation `cog.tile.terrain`; scope `tiles:read`; effect `read`.
       * @throws {@link NotFoundError}, {@link NotAMemberError}, {@link GoneRetentionError}, {@link ForbiddenError}, {@link UnsupportedRasterError}, {@link BudgetExceededError}, {@link UpstreamError}
       */
      terrain(input: InputOf<'cog.tile.terrain'>, options?: CallOptions): Promise<Uint8Array>
    }
  }
  readonly collections: {
    /**
     * Create a collection in a project.
     *
     * Operation `collections.create`; scope `collections:write`; effect `compute`.
     * @throws {@link NotFoundError}, {@link NotAMemberError}, {@link NameTakenError}, {@link InvalidStateError}
     */
    create(input: InputOf<'collections.create'>, options?: CallOptions): Promise<OutputOf<'collections.create'>>
    /**
     * Soft-delete a collection and unlink its items.
     *
     * Operation `collections.delete`; scope `collections:write`; effect `destructive`.
     * @throws {@link NotFoundError}, {@link NotAMemberError}, {@link InvalidStateError}
     */
    delete(input: InputOf<'collections.delete'>, options?: CallOptions): Promise<OutputOf<'collections.delete'>>
    /**
     * Read a collection of a project.
     *
     * Operation `collections.get`; scope `collections:read`; effect `read`.
     * @throws {@link NotFoundError}, {@link NotAMemberError}
     */
    get(input: InputOf<'collections.get'>, options?: CallOptions): Promise<OutputOf<'collections.get'>>
    /**
     * List the collections of a project.
     *
     * Operation `collections.list`; scope `collections:read`; effect `read`.
     * @throws {@link NotFoundError}, {@link NotAMemberError}
     */
    list(input: InputOf<'collections.list'>, options?: CallOptions): Promise<OutputOf<'collections.list'>>
    /**
     * Restore a deleted collection with its items, within 30 days of its deletion.
     *
     * Operation `collections.restore`; scope `collections:write`; effect `compute`.
     * @throws {@link NotFoundError}, {@link NotAMemberError}, {@link NameTakenError}, {@link InvalidStateError}, {@link GoneRetentionError}
     */
    restore(input: InputOf<'collections.restore'>, options?: CallOptions): Promise<OutputOf<'collections.restore'>>
    /**
     * Update a collection; absent fields keep their values.
     *
     * Operation `collections.update`; scope `collections:write`; effect `compute`.
     * @throws {@link NotFoundError}, {@link NotAMemberError}, {@link NameTakenError}, {@link InvalidStateError}
     */
    update(input: InputOf<'collections.update'>, options?: CallOptions): Promise<OutputOf<'collections.update'>>
  }
  readonly eulas: {
    readonly acceptances: {
      /**
       * List who accepted which version of which licence agreement, and who withdrew it, newest first.
       *
       * Operation `eulas.acceptances.list`; scope `eulas:read`; effect `read`.
       * @throws {@link NotFoundError}
       */
      list(input?: InputOf<'eulas.acceptances.list'>, options?: CallOptions): PagedCall<OutputOf<'eulas.acceptances.list'>, OutputOf<'eulas.acceptances.list'>['acceptances'][number]>
    }
    readonly document: {
      /**
       * Accept a version of a licence agreement for the organization, or withdraw the acceptance.
       *
       * Operation `eulas.document.accept`; scope `eulas:write`; effect `compute`.
       * @throws {@link NotFoundError}, {@link InvalidStateError}
       */
      accept(input: InputOf<'eulas.document.accept'>, options?: CallOptions): Promise<OutputOf<'eulas.document.accept'>>
      /**
       * Read a version of a licence agreement with its text.
       *
       * Operation `eulas.document.get`; scope `eulas:read`; effect `read`.
       * @throws {@link NotFoundError}
       */
      get(input: InputOf<'eulas.document.get'>, options?: CallOptions): Promise<OutputOf<'eulas.document.get'>>
    }
    readonly documents: {
      /**
       * List the versions of a licence agreement.
       *
       * Operation `eulas.documents.list`; scope `eulas:read`; effect `read`.
       * @throws {@link NotFoundError}
       */
      list(input: InputOf<'eulas.documents.list'>, options?: CallOptions): PagedCall<OutputOf<'eulas.documents.list'>, OutputOf<'eulas.documents.list'>['content'][number]>
    }
    /**
     * Read a licence agreement.
     *
     * Operation `eulas.get`; scope `eulas:read`; effect `read`.
     * @throws {@link NotFoundError}
     */
    get(input: InputOf<'eulas.get'>, options?: CallOptions): Promise<OutputOf<'eulas.get'>>
    /**
     * List the licence agreements.
     *
     * Operation `eulas.list`; scope `eulas:read`; effect `read`.
     */
    list(input?: InputOf<'eulas.list'>, options?: CallOptions): PagedCall<OutputOf<'eulas.list'>, OutputOf<'eulas.list'>['content'][number]>
  }
  readonly event_subscriptions: {
    /**
     * Subscribe a webhook URL to an event type; only this response contains the signing secret.
     *
     * Operation `event_subscriptions.create`; scope `event_subscriptions:write`; effect `compute`.
     * @throws {@link QuotaExceededError}
     */
    create(input: InputOf<'event_subscriptions.create'>, options?: CallOptions): Promise<OutputOf<'event_subscriptions.create'>>
    /**
     * Subscribe a webhook URL to several event types; only this response contains the signing secret that they share.
     *
     * Operation `event_subscriptions.create_many`; scope `event_subscriptions:write`; effect `compute`.
     * @throws {@link QuotaExceededError}
     */
    create_many(input: InputOf<'event_subscriptions.create_many'>, options?: CallOptions): Promise<OutputOf<'event_subscriptions.create_many'>>
    /**
     * Delete a subscription; pending deliveries are dropped.
     *
     * Operation `event_subscriptions.delete`; scope `event_subscriptions:write`; effect `destructive`.
     * @throws {@link NotFoundError}, {@link InvalidStateError}
     */
    delete(input: InputOf<'event_subscriptions.delete'>, options?: CallOptions): Promise<OutputOf<'event_subscriptions.delete'>>
    readonly deliveries: {
      /**
       * Read a delivery with its payload and its attempts, each with its response and timing.
       *
       * Operation `event_subscriptions.deliveries.get`; scope `event_subscriptions:read`; effect `read`.
       * @throws {@link NotFoundError}
       */
      get(input: InputOf<'event_subscriptions.deliveries.get'>, options?: CallOptions): Promise<OutputOf<'event_subscriptions.deliveries.get'>>
      /**
       * List the deliveries of a subscription, newest first.
       *
       * Operation `event_subscriptions.deliveries.list`; scope `event_subscriptions:read`; effect `read`.
       * @throws {@link NotFoundError}
       */
      list(input: InputOf<'event_subscriptions.deliveries.list'>, options?: CallOptions): PagedCall<OutputOf<'event_subscriptions.deliveries.list'>, OutputOf<'event_subscriptions.deliveries.list'>['deliveries'][number]>
      /**
       * Send an event again, with the same event id and all attempts.
       *
       * Operation `event_subscriptions.deliveries.redeliver`; scope `event_subscriptions:write`; effect `compute`.
       * @throws {@link NotFoundError}, {@link InvalidStateError}
       */
      redeliver(input: InputOf<'event_subscriptions.deliveries.redeliver'>, options?: CallOptions): Promise<OutputOf<'event_subscriptions.deliveries.redeliver'>>
      /**
       * Send the events of a period again: those that failed permanently, or all of them.
       *
       * Operation `event_subscriptions.deliveries.replay_window`; scope `event_subscriptions:write`; effect `compute`.
       * @throws {@link NotFoundError}, {@link InvalidStateError}
       */
      replay_window(input: InputOf<'event_subscriptions.deliveries.replay_window'>, options?: CallOptions): Promise<OutputOf<'event_subscriptions.deliveries.replay_window'>>
    }
    /**
     * Read a subscription, with its secret redacted.
     *
     * Operation `event_subscriptions.get`; scope `event_subscriptions:read`; effect `read`.
     * @throws {@link NotFoundError}
     */
    get(input: InputOf<'event_subscriptions.get'>, options?: CallOptions): Promise<OutputOf<'event_subscriptions.get'>>
    /**
     * List the subscriptions of the organization, with their secrets redacted.
     *
     * Operation `event_subscriptions.list`; scope `event_subscriptions:read`; effect `read`.
     */
    list(input?: InputOf<'event_subscriptions.list'>, options?: CallOptions): Promise<OutputOf<'event_subscriptions.list'>>
    /**
     * Replace the signing secret; the previous one signs as well until the overlap ends.
     *
     * Operation `event_subscriptions.rotate_secret`; scope `event_subscriptions:write`; effect `export`.
     * @throws {@link NotFoundError}, {@link InvalidStateError}
     */
    rotate_secret(input: InputOf<'event_subscriptions.rotate_secret'>, options?: CallOptions): Promise<OutputOf<'event_subscriptions.rotate_secret'>>
    /**
     * Send a signed test event immediately, even if the subscription is paused.
     *
     * Operation `event_subscriptions.test`; scope `event_subscriptions:write`; effect `compute`.
     * @throws {@link NotFoundError}
     */
    test(input: InputOf<'event_subscriptions.test'>, options?: CallOptions): Promise<OutputOf<'event_subscriptions.test'>>
    /**
     * Update or pause a subscription; absent fields keep their values.
     *
     * Operation `event_subscriptions.update`; scope `event_subscriptions:write`; effect `compute`.
     * @throws {@link NotFoundError}, {@link InvalidStateError}
     */
    update(input: InputOf<'event_subscriptions.update'>, options?: CallOptions): Promise<OutputOf<'event_subscriptions.update'>>
  }
  readonly event_types: {
    /**
     * List the event types, each with the JSON Schema of its data and an example.
     *
     * Operation `event_types.list`; scope `event_subscriptions:read`; effect `read`.
     */
    list(input?: InputOf<'event_types.list'>, options?: CallOptions): Promise<OutputOf<'event_types.list'>>
  }
  readonly events: {
    /**
     * List the events of the organization of the last 90 days; webhooks deliver the same events.
     *
     * Operation `events.list`; scope `event_subscriptions:read`; effect `read`.
     */
    list(input?: InputOf<'events.list'>, options?: CallOptions): PagedCall<OutputOf<'events.list'>, OutputOf<'events.list'>['events'][number]>
    /**
     * Stream the events of the organization as Server-Sent Events; a client resumes with `Last-Event-ID`.
     *
     * Operation `events.stream`; scope `event_subscriptions:read`; effect `read`.
     */
    stream(input?: InputOf<'events.stream'>, options?: EventStreamOptions): AsyncGenerator<OutputOf<'events.stream'>>
  }
  readonly glossary: {
    readonly collections: {
      /**
       * Read a collection that a host offers.
       *
       * Operation `glossary.collections.get`; scope `catalog:read`; effect `read`.
       * @throws {@link NotFoundError}
       */
      get(input: InputOf<'glossary.collections.get'>, options?: CallOptions): Promise<OutputOf<'glossary.collections.get'>>
      /**
       * List the collections that hosts offer.
       *
       * Operation `glossary.collections.list`; scope `catalog:read`; effect `read`.
       */
      list(input?: InputOf<'glossary.collections.list'>, options?: CallOptions): PagedCall<OutputOf<'glossary.collections.list'>, OutputOf<'glossary.collections.list'>['content'][number]>
    }
    readonly data_products: {
      /**
       * Read a data product.
       *
       * Operation `glossary.data_products.get`; scope `catalog:read`; effect `read`.
       * @throws {@link NotFoundError}
       */
      get(input: InputOf<'glossary.data_products.get'>, options?: CallOptions): Promise<OutputOf<'glossary.data_products.get'>>
      /**
       * List the data products that can be ordered.
       *
       * Operation `glossary.data_products.list`; scope `catalog:read`; effect `read`.
       */
      list(input?: InputOf<'glossary.data_products.list'>, options?: CallOptions): PagedCall<OutputOf<'glossary.data_products.list'>, OutputOf<'glossary.data_products.list'>['content'][number]>
    }
    readonly providers: {
      /**
       * Read a producer or host of imagery.
       *
       * Operation `glossary.providers.get`; scope `catalog:read`; effect `read`.
       * @throws {@link NotFoundError}
       */
      get(input: InputOf<'glossary.providers.get'>, options?: CallOptions): Promise<OutputOf<'glossary.providers.get'>>
      /**
       * List the producers and hosts of imagery.
       *
       * Operation `glossary.providers.list`; scope `catalog:read`; effect `read`.
       */
      list(input?: InputOf<'glossary.providers.list'>, options?: CallOptions): PagedCall<OutputOf<'glossary.providers.list'>, OutputOf<'glossary.providers.list'>['content'][number]>
    }
  }
  readonly items: {
    readonly asset: {
      /**
       * Issue a signed URL for an asset; it is valid for 15 minutes and needs no token.
       *
       * Operation `items.asset.download`; scope `items:read`; effect `export`.
       * @throws {@link NotFoundError}, {@link NotAMemberError}, {@link GoneRetentionError}, {@link PastDueError}, {@link InvalidStateError}, {@link DownloadCapError}, {@link BandwidthBreakerError}
       */
      download(input: InputOf<'items.asset.download'>, options?: CallOptions): Promise<OutputOf<'items.asset.download'>>
    }
    /**
     * Create up to 1,000 items from STAC Items; assets stay at their URLs and each row succeeds or fails on its own.
     *
     * Operation `items.batch_create`; scope `items:write`; effect `compute`.
     * @throws {@link NotFoundError}, {@link NotAMemberError}, {@link InvalidStateError}, {@link QuotaStorageError}
     */
    batch_create(input: InputOf<'items.batch_create'>, options?: CallOptions): Promise<OutputOf<'items.batch_create'>>
    /**
     * Soft-delete up to 1,000 items; each row succeeds or fails on its own.
     *
     * Operation `items.batch_delete`; scope `items:write`; effect `destructive`.
     * @throws {@link NotFoundError}, {@link NotAMemberError}, {@link InvalidStateError}
     */
    batch_delete(input: InputOf<'items.batch_delete'>, options?: CallOptions): Promise<OutputOf<'items.batch_delete'>>
    readonly bundles: {
      /**
       * Issue a signed URL for all files of an item as one ZIP, or for a single file by its own id.
       *
       * Operation `items.bundles.download`; scope `items:read`; effect `export`.
       * @throws {@link NotFoundError}, {@link NotAMemberError}, {@link GoneRetentionError}, {@link PastDueError}, {@link InvalidStateError}, {@link BudgetExceededError}, {@link DownloadCapError}, {@link BandwidthBreakerError}
       */
      download(input: InputOf<'items.bundles.download'>, options?: CallOptions): Promise<OutputOf<'items.bundles.download'>>
      /**
       * Read an item as one download: its title, its tags and the size of its stored files.
       *
       * Operation `items.bundles.get`; scope `items:read`; effect `read`.
       * @throws {@link NotFoundError}, {@link NotAMemberError}, {@link GoneRetentionError}
       */
      get(input: InputOf<'items.bundles.get'>, options?: CallOptions): Promise<OutputOf<'items.bundles.get'>>
      /**
       * List the items that the caller can see, each with its stored files as one download.
       *
       * Operation `items.bundles.list`; scope `items:read`; effect `read`.
       * @throws {@link NotFoundError}, {@link NotAMemberError}
       */
      list(input?: InputOf<'items.bundles.list'>, options?: CallOptions): PagedCall<OutputOf<'items.bundles.list'>, OutputOf<'items.bundles.list'>['content'][number]>
      /**
       * Set the title and the tags by which users find an item; its name stays.
       *
       * Operation `items.bundles.update`; scope `items:write`; effect `compute`.
       * @throws {@link NotFoundError}, {@link NotAMemberError}, {@link InvalidStateError}, {@link GoneRetentionError}, {@link QuotaStorageError}
       */
      update(input: InputOf<'items.bundles.update'>, options?: CallOptions): Promise<OutputOf<'items.bundles.update'>>
    }
    /**
     * Create an item in a project.
     *
     * Operation `items.create`; scope `items:write`; effect `compute`.
     * @throws {@link NotFoundError}, {@link NotAMemberError}, {@link InvalidStateError}, {@link StacIdTakenError}, {@link QuotaStorageError}
     */
    create(input: InputOf<'items.create'>, options?: CallOptions): Promise<OutputOf<'items.create'>>
    /**
     * Soft-delete an item; it no longer appears in lists and searches.
     *
     * Operation `items.delete`; scope `items:write`; effect `destructive`.
     * @throws {@link NotFoundError}, {@link NotAMemberError}, {@link InvalidStateError}
     */
    delete(input: InputOf<'items.delete'>, options?: CallOptions): Promise<OutputOf<'items.delete'>>
    /**
     * Suggest band names for an asset; nothing is stored.
     *
     * Operation `items.detect_asset_bands`; scope `items:read`; effect `compute`.
     * @throws {@link NotFoundError}, {@link NotAMemberError}, {@link GoneRetentionError}, {@link ForbiddenError}, {@link UnsupportedRasterError}, {@link BudgetExceededError}, {@link UpstreamError}
     */
    detect_asset_bands(input: InputOf<'items.detect_asset_bands'>, options?: CallOptions): Promise<OutputOf<'items.detect_asset_bands'>>
    /**
     * Issue a signed URL for all files of an item as one ZIP; it is valid for 15 minutes.
     *
     * Operation `items.download`; scope `items:read`; effect `export`.
     * @throws {@link NotFoundError}, {@link NotAMemberError}, {@link GoneRetentionError}, {@link PastDueError}, {@link InvalidStateError}, {@link BudgetExceededError}, {@link DownloadCapError}, {@link BandwidthBreakerError}
     */
    download(input: InputOf<'items.download'>, options?: CallOptions): Promise<OutputOf<'items.download'>>
    /**
     * Copy an item with its assets and visualization profiles.
     *
     * Operation `items.duplicate`; scope `items:write`; effect `compute`.
     * @throws {@link NotFoundError}, {@link NotAMemberError}, {@link InvalidStateError}, {@link GoneRetentionError}, {@link QuotaStorageError}
     */
    duplicate(input: InputOf<'items.duplicate'>, options?: CallOptions): Promise<OutputOf<'items.duplicate'>>
    /**
     * Expire every item whose retention has ended.
     *
     * Operation `items.expire_batch`; scope `admin:write`; effect `destructive`.
     */
    expire_batch(input?: InputOf<'items.expire_batch'>, options?: CallOptions): Promise<OutputOf<'items.expire_batch'>>
    readonly features: {
      /**
       * List the features of a vector item as GeoJSON in WGS 84, in file order.
       *
       * Operation `items.features.list`; scope `items:read`; effect `read`.
       * @throws {@link NotFoundError}, {@link NotAMemberError}, {@link GoneRetentionError}, {@link UnsupportedVectorError}, {@link BudgetExceededError}
       */
      list(input: InputOf<'items.features.list'>, options?: CallOptions): PagedCall<OutputOf<'items.features.list'>, OutputOf<'items.features.list'>['features'][number]>
    }
    /**
     * Read an item.
     *
     * Operation `items.get`; scope `items:read`; effect `read`.
     * @throws {@link NotFoundError}, {@link NotAMemberError}, {@link GoneRetentionError}
     */
    get(input: InputOf<'items.get'>, options?: CallOptions): Promise<OutputOf<'items.get'>>
    /**
     * Read an item as a STAC 1.0.0 Item.
     *
     * Operation `items.get_stac`; scope `items:read`; effect `read`.
     * @throws {@link NotFoundError}, {@link NotAMemberError}, {@link GoneRetentionError}
     */
    get_stac(input: InputOf<'items.get_stac'>, options?: CallOptions): Promise<OutputOf<'items.get_stac'>>
    /**
     * Read the direct sources and derivatives of an item.
     *
     * Operation `items.lineage`; scope `items:read`; effect `read`.
     * @throws {@link NotFoundError}, {@link NotAMemberError}
     */
    lineage(input: InputOf<'items.lineage'>, options?: CallOptions): Promise<OutputOf<'items.lineage'>>
    /**
     * List the items of a project, newest first.
     *
     * Operation `items.list`; scope `items:read`; effect `read`.
     * @throws {@link NotFoundError}, {@link NotAMemberError}, {@link ConflictingParametersError}
     */
    list(input: InputOf<'items.list'>, options?: CallOptions): PagedCall<OutputOf<'items.list'>, OutputOf<'items.list'>['items'][number]>
    /**
     * List the assets of an item.
     *
     * Operation `items.list_assets`; scope `items:read`; effect `read`.
     * @throws {@link NotFoundError}, {@link NotAMemberError}, {@link GoneRetentionError}
     */
    list_assets(input: InputOf<'items.list_assets'>, options?: CallOptions): Promise<OutputOf<'items.list_assets'>>
    /**
     * List the items of a collection, newest first.
     *
     * Operation `items.list_by_collection`; scope `items:read`; effect `read`.
     * @throws {@link NotFoundError}, {@link NotAMemberError}
     */
    list_by_collection(input: InputOf<'items.list_by_collection'>, options?: CallOptions): PagedCall<OutputOf<'items.list_by_collection'>, OutputOf<'items.list_by_collection'>['items'][number]>
    /**
     * List the items whose retention ends within a number of days.
     *
     * Operation `items.list_expiring`; scope `admin:read`; effect `read`.
     */
    list_expiring(input?: InputOf<'items.list_expiring'>, options?: CallOptions): Promise<OutputOf<'items.list_expiring'>>
    /**
     * Restore a deleted item with its assets, within 30 days of its deletion.
     *
     * Operation `items.restore`; scope `items:write`; effect `compute`.
     * @throws {@link NotFoundError}, {@link NotAMemberError}, {@link InvalidStateError}, {@link GoneRetentionError}, {@link StacIdTakenError}
     */
    restore(input: InputOf<'items.restore'>, options?: CallOptions): Promise<OutputOf<'items.restore'>>
    /**
     * Search the items of a project by geometry, time and properties.
     *
     * Operation `items.search`; scope `items:read`; effect `read`.
     * @throws {@link NotFoundError}, {@link NotAMemberError}, {@link BudgetExceededError}
     */
    search(input: InputOf<'items.search'>, options?: CallOptions): PagedCall<OutputOf<'items.search'>, OutputOf<'items.search'>['features'][number]>
    /**
     * Search the items of every project that the caller can see.
     *
     * Operation `items.search_org`; scope `items:read`; effect `read`.
     * @throws {@link BudgetExceededError}
     */
    search_org(input?: InputOf<'items.search_org'>, options?: CallOptions): PagedCall<OutputOf<'items.search_org'>, OutputOf<'items.search_org'>['features'][number]>
    /**
     * Set the band names of an asset, one name per band.
     *
     * Operation `items.set_asset_band_names`; scope `items:write`; effect `compute`.
     * @throws {@link NotFoundError}, {@link NotAMemberError}, {@link InvalidStateError}, {@link GoneRetentionError}
     */
    set_asset_band_names(input: InputOf<'items.set_asset_band_names'>, options?: CallOptions): Promise<OutputOf<'items.set_asset_band_names'>>
    readonly tile: {
      /**
       * Compute histograms of an item, of every band or of an expression.
       *
       * Operation `items.tile.histogram`; scope `items:read`; effect `read`.
       * @throws {@link NotFoundError}, {@link NotAMemberError}, {@link GoneRetentionError}, {@link ForbiddenError}, {@link UnsupportedRasterError}, {@link BudgetExceededError}, {@link UpstreamError}
       */
      histogram(input: InputOf<'items.tile.histogram'>, options?: CallOptions): Promise<OutputOf<'items.tile.histogram'>>
      /**
       * Read the pixel values of an item along a line, of every band or of an expression.
       *
       * Operation `items.tile.line`; scope `items:read`; effect `read`.
       * @throws {@link NotFoundError}, {@link NotAMemberError}, {@link GoneRetentionError}, {@link ForbiddenError}, {@link UnsupportedRasterError}, {@link BudgetExceededError}, {@link UpstreamError}
       */
      line(input: InputOf<'items.tile.line'>, options?: CallOptions): Promise<OutputOf<'items.tile.line'>>
      /**
       * Read the pixel values of an item at a position, of every band or of an expression.
       *
       * Operation `items.tile.point`; scope `items:read`; effect `read`.
       * @throws {@link NotFoundError}, {@link NotAMemberError}, {@link GoneRetentionError}, {@link ForbiddenError}, {@link UnsupportedRasterError}, {@link BudgetExceededError}, {@link UpstreamError}
       */
      point(input: InputOf<'items.tile.point'>, options?: CallOptions): Promise<OutputOf<'items.tile.point'>>
      /**
       * Render a preview image of an item in its own projection.
       *
       * Operation `items.tile.preview`; scope `items:read`; effect `read`.
       * @throws {@link NotFoundError}, {@link NotAMemberError}, {@link GoneRetentionError}, {@link ForbiddenError}, {@link UnsupportedRasterError}, {@link BudgetExceededError}, {@link UpstreamError}
       */
      preview(input: InputOf<'items.tile.preview'>, options?: CallOptions): Promise<Uint8Array>
      /**
       * Render a tile of an item; pixels outside the image are transparent.
       *
       * Operation `items.tile.render`; scope `items:read`; effect `read`.
       * @throws {@link NotFoundError}, {@link NotAMemberError}, {@link GoneRetentionError}, {@link UnsupportedRasterError}, {@link BudgetExceededError}, {@link ForbiddenError}, {@link UpstreamError}
       */
      render(input: InputOf<'items.tile.render'>, options?: CallOptions): Promise<Uint8Array>
      /**
       * Compute the statistics of an expression over an item.
       *
       * Operation `items.tile.statistics`; scope `items:read`; effect `read`.
       * @throws {@link NotFoundError}, {@link NotAMemberError}, {@link GoneRetentionError}, {@link UnsupportedRasterError}, {@link BudgetExceededError}, {@link ForbiddenError}, {@link UpstreamError}
       */
      statistics(input: InputOf<'items.tile.statistics'>, options?: CallOptions): Promise<OutputOf<'items.tile.statistics'>>
      /**
       * Read the TileJSON 3.0.0 of an item.
       *
       * Operation `items.tile.tilejson`; scope `items:read`; effect `read`.
       * @throws {@link NotFoundError}, {@link NotAMemberError}, {@link GoneRetentionError}, {@link UnsupportedRasterError}, {@link BudgetExceededError}
       */
      tilejson(input: InputOf<'items.tile.tilejson'>, options?: CallOptions): Promise<OutputOf<'items.tile.tilejson'>>
      readonly token: {
        /**
         * Create a tile token, for clients that cannot send headers: it permits the tiles of one item or collection.
         *
         * Operation `items.tile.token.create`; scope `items:write`; effect `export`.
         * @throws {@link NotFoundError}, {@link NotAMemberError}, {@link GoneRetentionError}, {@link UserRequiredError}
         */
        create(input?: InputOf<'items.tile.token.create'>, options?: CallOptions): Promise<OutputOf<'items.tile.token.create'>>
        /**
         * List the valid tile tokens of an item or collection, or all of the caller, newest first, without secrets.
         *
         * Operation `items.tile.token.list`; scope `items:read`; effect `read`.
         * @throws {@link NotFoundError}, {@link NotAMemberError}, {@link GoneRetentionError}
         */
        list(input?: InputOf<'items.tile.token.list'>, options?: CallOptions): Promise<OutputOf<'items.tile.token.list'>>
        /**
         * Revoke a tile token immediately; its creator and editors of the project may do so.
         *
         * Operation `items.tile.token.revoke`; scope `items:write`; effect `destructive`.
         * @throws {@link NotFoundError}, {@link NotAMemberError}, {@link InvalidStateError}
         */
        revoke(input: InputOf<'items.tile.token.revoke'>, options?: CallOptions): Promise<OutputOf<'items.tile.token.revoke'>>
      }
      /**
       * Render a vector tile (Mapbox Vector Tile 2.1) of a vector item; a tile without features is empty.
       *
       * Operation `items.tile.vector`; scope `items:read`; effect `read`.
       * @throws {@link NotFoundError}, {@link NotAMemberError}, {@link GoneRetentionError}, {@link UnsupportedVectorError}, {@link BudgetExceededError}
       */
      vector(input: InputOf<'items.tile.vector'>, options?: CallOptions): Promise<Uint8Array>
      /**
       * Read the WMTS 1.0.0 capabilities of an item, with key and profile in the GetTile URLs.
       *
       * Operation `items.tile.wmts_capabilities`; scope `items:read`; effect `read`.
       * @throws {@link NotFoundError}, {@link NotAMemberError}, {@link GoneRetentionError}, {@link UnsupportedRasterError}, {@link BudgetExceededError}
       */
      wmts_capabilities(input: InputOf<'items.tile.wmts_capabilities'>, options?: CallOptions): Promise<Uint8Array>
      /**
       * Render a tile for a WMTS client; if rendering fails the tile is transparent.
       *
       * Operation `items.tile.wmts_get_tile`; scope `items:read`; effect `read`.
       * @throws {@link NotFoundError}, {@link NotAMemberError}, {@link GoneRetentionError}
       */
      wmts_get_tile(input: InputOf<'items.tile.wmts_get_tile'>, options?: CallOptions): Promise<Uint8Array>
    }
    /**
     * Update an item; absent fields keep their values, and `properties` are replaced as a whole.
     *
     * Operation `items.update`; scope `items:write`; effect `compute`.
     * @throws {@link NotFoundError}, {@link NotAMemberError}, {@link InvalidStateError}, {@link GoneRetentionError}, {@link StacIdTakenError}, {@link QuotaStorageError}
     */
    update(input: InputOf<'items.update'>, options?: CallOptions): Promise<OutputOf<'items.update'>>
  }
  readonly notifications: {
    /**
     * Dismiss a notification: remove it from the list.
     *
     * Operation `notifications.dismiss`; scope `notifications:write`; effect `compute`.
     * @throws {@link NotFoundError}
     */
    dismiss(input: InputOf<'notifications.dismiss'>, options?: CallOptions): Promise<OutputOf<'notifications.dismiss'>>
    /**
     * List the notifications of the caller, newest first.
     *
     * Operation `notifications.list`; scope `notifications:read`; effect `read`.
     */
    list(input?: InputOf<'notifications.list'>, options?: CallOptions): PagedCall<OutputOf<'notifications.list'>, OutputOf<'notifications.list'>['notifications'][number]>
    /**
     * Mark all notifications of the caller as read.
     *
     * Operation `notifications.mark_all_read`; scope `notifications:write`; effect `compute`.
     */
    mark_all_read(input?: InputOf<'notifications.mark_all_read'>, options?: CallOptions): Promise<OutputOf<'notifications.mark_all_read'>>
    /**
     * Mark a notification as read.
     *
     * Operation `notifications.mark_read`; scope `notifications:write`; effect `compute`.
     * @throws {@link NotFoundError}
     */
    mark_read(input: InputOf<'notifications.mark_read'>, options?: CallOptions): Promise<OutputOf<'notifications.mark_read'>>
    readonly preferences: {
      /**
       * List the kinds of notifications with the channels on which the caller receives them.
       *
       * Operation `notifications.preferences.get`; scope `notifications:read`; effect `read`.
       */
      get(input?: InputOf<'notifications.preferences.get'>, options?: CallOptions): Promise<OutputOf<'notifications.preferences.get'>>
      /**
       * Choose the channels on which the caller receives a kind of notification.
       *
       * Operation `notifications.preferences.set`; scope `notifications:write`; effect `compute`.
       */
      set(input: InputOf<'notifications.preferences.set'>, options?: CallOptions): Promise<OutputOf<'notifications.preferences.set'>>
    }
    /**
     * Count the unread notifications of the caller.
     *
     * Operation `notifications.unread_count`; scope `notifications:read`; effect `read`.
     */
    unread_count(input?: InputOf<'notifications.unread_count'>, options?: CallOptions): Promise<OutputOf<'notifications.unread_count'>>
  }
  readonly oauth_clients: {
    /**
     * Register a program that acts for persons or for the organization; only this response has the secret.
     *
     * Operation `oauth_clients.create`; scope `oauth_clients:write`; effect `export`.
     * @throws {@link InvalidStateError}
     */
    create(input: InputOf<'oauth_clients.create'>, options?: CallOptions): Promise<OutputOf<'oauth_clients.create'>>
    /**
     * Delete an OAuth client with what persons have granted to it; its tokens end immediately.
     *
     * Operation `oauth_clients.delete`; scope `oauth_clients:write`; effect `destructive`.
     * @throws {@link NotFoundError}
     */
    delete(input: InputOf<'oauth_clients.delete'>, options?: CallOptions): Promise<OutputOf<'oauth_clients.delete'>>
    /**
     * Read one OAuth client of the organization.
     *
     * Operation `oauth_clients.get`; scope `oauth_clients:read`; effect `read`.
     * @throws {@link NotFoundError}
     */
    get(input: InputOf<'oauth_clients.get'>, options?: CallOptions): Promise<OutputOf<'oauth_clients.get'>>
    /**
     * List the OAuth clients of the organization without their secrets.
     *
     * Operation `oauth_clients.list`; scope `oauth_clients:read`; effect `read`.
     */
    list(input?: InputOf<'oauth_clients.list'>, options?: CallOptions): Promise<OutputOf<'oauth_clients.list'>>
    /**
     * Replace the secret of a confidential client; the one before is accepted until the overlap ends.
     *
     * Operation `oauth_clients.rotate_secret`; scope `oauth_clients:write`; effect `export`.
     * @throws {@link NotFoundError}, {@link InvalidStateError}
     */
    rotate_secret(input: InputOf<'oauth_clients.rotate_secret'>, options?: CallOptions): Promise<OutputOf<'oauth_clients.rotate_secret'>>
    /**
     * Change an OAuth client; disabling it ends its tokens immediately.
     *
     * Operation `oauth_clients.update`; scope `oauth_clients:write`; effect `compute`.
     * @throws {@link NotFoundError}
     */
    update(input: InputOf<'oauth_clients.update'>, options?: CallOptions): Promise<OutputOf<'oauth_clients.update'>>
  }
  readonly orders: {
    readonly archive: {
      /**
       * Estimate the price of archive captures; nothing is stored.
       *
       * Operation `orders.archive.estimate`; scope `orders:read`; effect `read`.
       * @throws {@link UpstreamError}
       */
      estimate(input?: InputOf<'orders.archive.estimate'>, options?: CallOptions): Promise<OutputOf<'orders.archive.estimate'>>
      /**
       * Order archive captures; the price is held now, and only what is delivered is charged.
       *
       * Operation `orders.archive.place`; scope `orders:write`; effect `spend`.
       * @throws {@link NotFoundError}, {@link NotAMemberError}, {@link ForbiddenError}, {@link InvalidStateError}, {@link PastDueError}, {@link InsufficientCreditsError}, {@link PaymentDeclinedError}, {@link PaymentActionRequiredError}, {@link SpendLimitExceededError}, {@link UpstreamError}, {@link UserRequiredError}, {@link ConflictingParametersError}, {@link QuoteExpiredError}, {@link EulaNotAcceptedError}
       */
      place(input?: InputOf<'orders.archive.place'>, options?: SpendOptions): Promise<OutputOf<'orders.archive.place'>>
    }
    /**
     * Cancel an order, if its state permits it, and release its hold; `cancellation` of the order tells the fee.
     *
     * Operation `orders.cancel`; scope `orders:write`; effect `spend`.
     * @throws {@link NotFoundError}, {@link NotAMemberError}, {@link InvalidStateError}, {@link SpendLimitExceededError}, {@link UpstreamError}
     */
    cancel(input: InputOf<'orders.cancel'>, options?: SpendOptions): Promise<OutputOf<'orders.cancel'>>
    readonly coverage: {
      /**
       * Read the delivered and remaining area of an order.
       *
       * Operation `orders.coverage.get`; scope `orders:read`; effect `read`.
       * @throws {@link NotFoundError}, {@link NotAMemberError}, {@link BudgetExceededError}
       */
      get(input: InputOf<'orders.coverage.get'>, options?: CallOptions): Promise<OutputOf<'orders.coverage.get'>>
      readonly groups: {
        /**
         * List the delivered and remaining area of an order, by host, collection and date of acquisition.
         *
         * Operation `orders.coverage.groups.list`; scope `orders:read`; effect `read`.
         * @throws {@link NotFoundError}, {@link NotAMemberError}, {@link BudgetExceededError}
         */
        list(input: InputOf<'orders.coverage.groups.list'>, options?: CallOptions): Promise<OutputOf<'orders.coverage.groups.list'>>
      }
    }
    /**
     * Issue a signed URL for all delivered files of an order as one ZIP; it is valid for 15 minutes.
     *
     * Operation `orders.download`; scope `items:read`; effect `export`.
     * @throws {@link NotFoundError}, {@link NotAMemberError}, {@link PastDueError}, {@link InvalidStateError}, {@link BudgetExceededError}, {@link DownloadCapError}, {@link BandwidthBreakerError}
     */
    download(input: InputOf<'orders.download'>, options?: CallOptions): Promise<OutputOf<'orders.download'>>
    /**
     * Estimate the price of a data product for each area of a feature collection; nothing is stored.
     *
     * Operation `orders.estimate`; scope `items:read`; effect `read`.
     * @throws {@link NotFoundError}, {@link NotAMemberError}, {@link UpstreamError}
     */
    estimate(input: InputOf<'orders.estimate'>, options?: CallOptions): Promise<OutputOf<'orders.estimate'>>
    /**
     * Read an order with its status history, also after its project was deleted.
     *
     * Operation `orders.get`; scope `orders:read`; effect `read`.
     * @throws {@link NotFoundError}, {@link NotAMemberError}
     */
    get(input: InputOf<'orders.get'>, options?: CallOptions): Promise<OutputOf<'orders.get'>>
    /**
     * Read the parameter schema and the cancellation policy of a data product.
     *
     * Operation `orders.get_schema`; scope `items:read`; effect `read`.
     * @throws {@link NotFoundError}
     */
    get_schema(input: InputOf<'orders.get_schema'>, options?: CallOptions): Promise<OutputOf<'orders.get_schema'>>
    /**
     * List the orders of the organization that the caller can see.
     *
     * Operation `orders.list`; scope `orders:read`; effect `read`.
     * @throws {@link NotFoundError}, {@link NotAMemberError}
     */
    list(input?: InputOf<'orders.list'>, options?: CallOptions): PagedCall<OutputOf<'orders.list'>, OutputOf<'orders.list'>['content'][number]>
    /**
     * List the delivered items and assets of an order.
     *
     * Operation `orders.list_assets`; scope `items:read`; effect `read`.
     * @throws {@link NotFoundError}, {@link NotAMemberError}
     */
    list_assets(input: InputOf<'orders.list_assets'>, options?: CallOptions): Promise<OutputOf<'orders.list_assets'>>
    /**
     * Order a data product: one order for each feature, all of them or none.
     *
     * Operation `orders.place`; scope `orders:write`; effect `spend`.
     * @throws {@link NotFoundError}, {@link NotAMemberError}, {@link ForbiddenError}, {@link InvalidStateError}, {@link PastDueError}, {@link InsufficientCreditsError}, {@link PaymentDeclinedError}, {@link PaymentActionRequiredError}, {@link SpendLimitExceededError}, {@link UpstreamError}, {@link UserRequiredError}, {@link ConflictingParametersError}, {@link QuoteExpiredError}, {@link EulaNotAcceptedError}
     */
    place(input: InputOf<'orders.place'>, options?: SpendOptions): Promise<OutputOf<'orders.place'>>
    /**
     * Lock the price of archive captures, or of areas to acquire, for a while, for one order that names the quote.
     *
     * Operation `orders.quote`; scope `orders:read`; effect `compute`.
     * @throws {@link NotFoundError}, {@link QuotaExceededError}, {@link UpstreamError}
     */
    quote(input?: InputOf<'orders.quote'>, options?: CallOptions): Promise<OutputOf<'orders.quote'>>
    /**
     * Order the captures of an earlier order once more, at the prices of now.
     *
     * Operation `orders.reorder`; scope `orders:write`; effect `spend`.
     * @throws {@link NotFoundError}, {@link NotAMemberError}, {@link ForbiddenError}, {@link InvalidStateError}, {@link PastDueError}, {@link InsufficientCreditsError}, {@link PaymentDeclinedError}, {@link PaymentActionRequiredError}, {@link SpendLimitExceededError}, {@link UpstreamError}, {@link UserRequiredError}, {@link EulaNotAcceptedError}
     */
    reorder(input: InputOf<'orders.reorder'>, options?: SpendOptions): Promise<OutputOf<'orders.reorder'>>
    readonly standing: {
      /**
       * Order, or propose, every new scene of a saved search within caps, as the calling user.
       *
       * Operation `orders.standing.create`; scope `orders:write`; effect `spend`.
       * @throws {@link NotFoundError}, {@link NotAMemberError}, {@link InvalidStateError}, {@link SpendLimitExceededError}
       */
      create(input: InputOf<'orders.standing.create'>, options?: SpendOptions): Promise<OutputOf<'orders.standing.create'>>
      /**
       * Accept a proposed scene, which orders it as the calling user at no more than its price, or reject it.
       *
       * Operation `orders.standing.decide`; scope `orders:write`; effect `spend`.
       * @throws {@link NotFoundError}, {@link NotAMemberError}, {@link ForbiddenError}, {@link InvalidStateError}, {@link PastDueError}, {@link InsufficientCreditsError}, {@link PaymentDeclinedError}, {@link PaymentActionRequiredError}, {@link SpendLimitExceededError}, {@link UpstreamError}, {@link UserRequiredError}, {@link AlreadyDecidedError}, {@link EulaNotAcceptedError}
       */
      decide(input: InputOf<'orders.standing.decide'>, options?: SpendOptions): Promise<OutputOf<'orders.standing.decide'>>
      /**
       * Delete a standing order and its proposals; its orders remain.
       *
       * Operation `orders.standing.delete`; scope `orders:write`; effect `destructive`.
       * @throws {@link NotFoundError}, {@link NotAMemberError}
       */
      delete(input: InputOf<'orders.standing.delete'>, options?: CallOptions): Promise<OutputOf<'orders.standing.delete'>>
      /**
       * List the standing orders of the projects of the caller, newest first.
       *
       * Operation `orders.standing.list`; scope `orders:read`; effect `read`.
       * @throws {@link NotFoundError}, {@link NotAMemberError}
       */
      list(input?: InputOf<'orders.standing.list'>, options?: CallOptions): PagedCall<OutputOf<'orders.standing.list'>, OutputOf<'orders.standing.list'>['standing_orders'][number]>
      readonly scenes: {
        /**
         * List the new scenes of a standing order and what became of them, newest first.
         *
         * Operation `orders.standing.scenes.list`; scope `orders:read`; effect `read`.
         * @throws {@link NotFoundError}, {@link NotAMemberError}
         */
        list(input: InputOf<'orders.standing.scenes.list'>, options?: CallOptions): PagedCall<OutputOf<'orders.standing.scenes.list'>, OutputOf<'orders.standing.scenes.list'>['scenes'][number]>
      }
      /**
       * Change, pause or resume a standing order; others than its creator may only pause it.
       *
       * Operation `orders.standing.update`; scope `orders:write`; effect `compute`.
       * @throws {@link NotFoundError}, {@link NotAMemberError}, {@link InvalidStateError}, {@link ForbiddenError}
       */
      update(input: InputOf<'orders.standing.update'>, options?: CallOptions): Promise<OutputOf<'orders.standing.update'>>
    }
    readonly tasking: {
      readonly decisions: {
        /**
         * List the feasibility studies and quotations that wait for a decision, most urgent first.
         *
         * Operation `orders.tasking.decisions.pending`; scope `orders:read`; effect `read`.
         * @throws {@link NotFoundError}, {@link NotAMemberError}
         */
        pending(input?: InputOf<'orders.tasking.decisions.pending'>, options?: CallOptions): PagedCall<OutputOf<'orders.tasking.decisions.pending'>, OutputOf<'orders.tasking.decisions.pending'>['content'][number]>
      }
      /**
       * Estimate the price of acquiring areas; nothing is stored.
       *
       * Operation `orders.tasking.estimate`; scope `orders:read`; effect `read`.
       * @throws {@link NotFoundError}, {@link UpstreamError}
       */
      estimate(input?: InputOf<'orders.tasking.estimate'>, options?: CallOptions): Promise<OutputOf<'orders.tasking.estimate'>>
      /**
       * Check whether areas can be acquired, before ordering.
       *
       * Operation `orders.tasking.feasibility_check`; scope `orders:read`; effect `read`.
       * @throws {@link NotFoundError}, {@link UpstreamError}
       */
      feasibility_check(input: InputOf<'orders.tasking.feasibility_check'>, options?: CallOptions): Promise<OutputOf<'orders.tasking.feasibility_check'>>
      /**
       * Accept an option of a feasibility study; if the option has a price, it is held now.
       *
       * Operation `orders.tasking.feasibility_decide`; scope `orders:write`; effect `spend`.
       * @throws {@link NotFoundError}, {@link NotAMemberError}, {@link ForbiddenError}, {@link InvalidStateError}, {@link PastDueError}, {@link InsufficientCreditsError}, {@link PaymentDeclinedError}, {@link PaymentActionRequiredError}, {@link SpendLimitExceededError}, {@link UpstreamError}, {@link EulaNotAcceptedError}, {@link AlreadyDecidedError}, {@link QuoteExpiredError}
       */
      feasibility_decide(input: InputOf<'orders.tasking.feasibility_decide'>, options?: SpendOptions): Promise<OutputOf<'orders.tasking.feasibility_decide'>>
      readonly feasibility_studies: {
        /**
         * List the feasibility studies of tasking orders.
         *
         * Operation `orders.tasking.feasibility_studies.list`; scope `orders:read`; effect `read`.
         * @throws {@link NotFoundError}, {@link NotAMemberError}
         */
        list(input?: InputOf<'orders.tasking.feasibility_studies.list'>, options?: CallOptions): PagedCall<OutputOf<'orders.tasking.feasibility_studies.list'>, OutputOf<'orders.tasking.feasibility_studies.list'>['content'][number]>
      }
      readonly groups: {
        /**
         * List the areas of a tasking order with the acquired items.
         *
         * Operation `orders.tasking.groups.list`; scope `admin:read`; effect `read`.
         * @throws {@link NotFoundError}
         */
        list(input: InputOf<'orders.tasking.groups.list'>, options?: CallOptions): Promise<OutputOf<'orders.tasking.groups.list'>>
      }
      /**
       * List the acquisition opportunities for areas.
       *
       * Operation `orders.tasking.opportunities_list`; scope `orders:read`; effect `read`.
       * @throws {@link NotFoundError}, {@link UpstreamError}
       */
      opportunities_list(input: InputOf<'orders.tasking.opportunities_list'>, options?: CallOptions): Promise<OutputOf<'orders.tasking.opportunities_list'>>
      /**
       * Place a tasking order for new imagery; credits are held when a price is accepted.
       *
       * Operation `orders.tasking.place`; scope `orders:write`; effect `spend`.
       * @throws {@link NotFoundError}, {@link NotAMemberError}, {@link ForbiddenError}, {@link InvalidStateError}, {@link PastDueError}, {@link InsufficientCreditsError}, {@link PaymentDeclinedError}, {@link PaymentActionRequiredError}, {@link SpendLimitExceededError}, {@link UpstreamError}, {@link ConflictingParametersError}, {@link QuoteExpiredError}, {@link EulaNotAcceptedError}
       */
      place(input?: InputOf<'orders.tasking.place'>, options?: SpendOptions): Promise<OutputOf<'orders.tasking.place'>>
      /**
       * Accept a quotation, which holds its price, or reject it, which cancels the order.
       *
       * Operation `orders.tasking.quotation_decide`; scope `orders:write`; effect `spend`.
       * @throws {@link NotFoundError}, {@link NotAMemberError}, {@link ForbiddenError}, {@link InvalidStateError}, {@link PastDueError}, {@link InsufficientCreditsError}, {@link PaymentDeclinedError}, {@link PaymentActionRequiredError}, {@link SpendLimitExceededError}, {@link UpstreamError}, {@link EulaNotAcceptedError}, {@link AlreadyDecidedError}, {@link QuoteExpiredError}
       */
      quotation_decide(input: InputOf<'orders.tasking.quotation_decide'>, options?: SpendOptions): Promise<OutputOf<'orders.tasking.quotation_decide'>>
      readonly quotations: {
        /**
         * List the quotations of tasking orders.
         *
         * Operation `orders.tasking.quotations.list`; scope `orders:read`; effect `read`.
         * @throws {@link NotFoundError}, {@link NotAMemberError}
         */
        list(input?: InputOf<'orders.tasking.quotations.list'>, options?: CallOptions): PagedCall<OutputOf<'orders.tasking.quotations.list'>, OutputOf<'orders.tasking.quotations.list'>['content'][number]>
      }
      /**
       * List the sensors that can be tasked.
       *
       * Operation `orders.tasking.sensors`; scope `orders:read`; effect `read`.
       */
      sensors(input?: InputOf<'orders.tasking.sensors'>, options?: CallOptions): Promise<OutputOf<'orders.tasking.sensors'>>
      readonly templates: {
        /**
         * Delete a tasking template.
         *
         * Operation `orders.tasking.templates.delete`; scope `orders:write`; effect `destructive`.
         * @throws {@link NotFoundError}
         */
        delete(input: InputOf<'orders.tasking.templates.delete'>, options?: CallOptions): Promise<OutputOf<'orders.tasking.templates.delete'>>
        /**
         * Read a tasking template.
         *
         * Operation `orders.tasking.templates.get`; scope `orders:read`; effect `read`.
         * @throws {@link NotFoundError}
         */
        get(input: InputOf<'orders.tasking.templates.get'>, options?: CallOptions): Promise<OutputOf<'orders.tasking.templates.get'>>
        /**
         * List the tasking templates of the organization.
         *
         * Operation `orders.tasking.templates.list`; scope `orders:read`; effect `read`.
         */
        list(input?: InputOf<'orders.tasking.templates.list'>, options?: CallOptions): Promise<OutputOf<'orders.tasking.templates.list'>>
        /**
         * Save the parameters of a tasking order as a template; a template with the same name is replaced.
         *
         * Operation `orders.tasking.templates.save`; scope `orders:write`; effect `compute`.
         * @throws {@link QuotaExceededError}
         */
        save(input: InputOf<'orders.tasking.templates.save'>, options?: CallOptions): Promise<OutputOf<'orders.tasking.templates.save'>>
      }
    }
    /**
     * List what has happened to an order, oldest first, and who has to act next.
     *
     * Operation `orders.timeline`; scope `orders:read`; effect `read`.
     * @throws {@link NotFoundError}, {@link NotAMemberError}
     */
    timeline(input: InputOf<'orders.timeline'>, options?: CallOptions): Promise<OutputOf<'orders.timeline'>>
    /**
     * Change the name and the tags of an order.
     *
     * Operation `orders.update`; scope `orders:write`; effect `compute`.
     * @throws {@link NotFoundError}, {@link NotAMemberError}, {@link InvalidStateError}
     */
    update(input: InputOf<'orders.update'>, options?: CallOptions): Promise<OutputOf<'orders.update'>>
  }
  readonly organizations: {
    readonly audit: {
      /**
       * Stream the sealed rows of the audit trail, oldest first, with the hash chain for independent verification.
       *
       * Operation `organizations.audit.export`; scope `audit:export`; effect `export`.
       */
      export(input?: InputOf<'organizations.audit.export'>, options?: CallOptions): AsyncGenerator<OutputOf<'organizations.audit.export'>>
      /**
       * List the write calls in the organization, newest first: who called what, on which entity, and how it ended.
       *
       * Operation `organizations.audit.list`; scope `organizations:read`; effect `read`.
       */
      list(input?: InputOf<'organizations.audit.list'>, options?: CallOptions): PagedCall<OutputOf<'organizations.audit.list'>, OutputOf<'organizations.audit.list'>['entries'][number]>
      /**
       * Verify the whole audit trail: positions, hashes, and the end of the chain.
       *
       * Operation `organizations.audit.verify`; scope `organizations:read`; effect `read`.
       */
      verify(input?: InputOf<'organizations.audit.verify'>, options?: CallOptions): Promise<OutputOf<'organizations.audit.verify'>>
    }
    readonly commitments: {
      /**
       * List the commitments of the organization with their deliveries.
       *
       * Operation `organizations.commitments.list`; scope `orders:read`; effect `read`.
       * @throws {@link NotFoundError}
       */
      list(input?: InputOf<'organizations.commitments.list'>, options?: CallOptions): Promise<OutputOf<'organizations.commitments.list'>>
      /**
       * Read the statement of a month; defaults to the previous month.
       *
       * Operation `organizations.commitments.statement`; scope `billing:read`; effect `read`.
       * @throws {@link NotFoundError}
       */
      statement(input: InputOf<'organizations.commitments.statement'>, options?: CallOptions): Promise<OutputOf<'organizations.commitments.statement'>>
    }
    /**
     * Create an organization, which the caller owns; tokens of the caller stay for the organization that they name.
     *
     * Operation `organizations.create`; scope `organizations:write`; effect `compute`.
     * @throws {@link ForbiddenError}, {@link InvalidStateError}
     */
    create(input: InputOf<'organizations.create'>, options?: CallOptions): Promise<OutputOf<'organizations.create'>>
    readonly delegations: {
      /**
       * List what users and API keys have created that acts for them, with why some of it has stopped.
       *
       * Operation `organizations.delegations.list`; scope `organizations:read`; effect `read`.
       */
      list(input?: InputOf<'organizations.delegations.list'>, options?: CallOptions): PagedCall<OutputOf<'organizations.delegations.list'>, OutputOf<'organizations.delegations.list'>['delegations'][number]>
      /**
       * Let what has stopped, because its creator may not act any more, act for the caller; keys get a new secret.
       *
       * Operation `organizations.delegations.take_over`; scope `organizations:write`; effect `compute`.
       * @throws {@link NotFoundError}, {@link InvalidStateError}
       */
      take_over(input: InputOf<'organizations.delegations.take_over'>, options?: CallOptions): Promise<OutputOf<'organizations.delegations.take_over'>>
    }
    /**
     * Close the organization in 30 days, with its imagery, files and credits; until then everything works.
     *
     * Operation `organizations.delete`; scope `organizations:write`; effect `destructive`.
     * @throws {@link NotFoundError}, {@link InvalidStateError}
     */
    delete(input?: InputOf<'organizations.delete'>, options?: CallOptions): Promise<OutputOf<'organizations.delete'>>
    readonly domains: {
      /**
       * Add a domain of e-mail addresses, which a TXT record then proves to be that of the organization.
       *
       * Operation `organizations.domains.add`; scope `organizations:write`; effect `compute`.
       * @throws {@link NameTakenError}, {@link InvalidStateError}
       */
      add(input: InputOf<'organizations.domains.add'>, options?: CallOptions): Promise<OutputOf<'organizations.domains.add'>>
      /**
       * List the domains of the organization with the records that prove them.
       *
       * Operation `organizations.domains.list`; scope `organizations:read`; effect `read`.
       */
      list(input?: InputOf<'organizations.domains.list'>, options?: CallOptions): PagedCall<OutputOf<'organizations.domains.list'>, OutputOf<'organizations.domains.list'>['domains'][number]>
      /**
       * Remove a domain: its addresses do not sign in with the provider of the organization any more.
       *
       * Operation `organizations.domains.remove`; scope `organizations:write`; effect `destructive`.
       * @throws {@link NotFoundError}
       */
      remove(input: InputOf<'organizations.domains.remove'>, options?: CallOptions): Promise<OutputOf<'organizations.domains.remove'>>
      /**
       * Look for the record of a domain now; a domain without it stays as it is, with the reason.
       *
       * Operation `organizations.domains.verify`; scope `organizations:write`; effect `compute`.
       * @throws {@link NotFoundError}, {@link NameTakenError}
       */
      verify(input: InputOf<'organizations.domains.verify'>, options?: CallOptions): Promise<OutputOf<'organizations.domains.verify'>>
    }
    /**
     * Read the details of the organization that its invoices name.
     *
     * Operation `organizations.get`; scope `organizations:read`; effect `read`.
     * @throws {@link NotFoundError}
     */
    get(input?: InputOf<'organizations.get'>, options?: CallOptions): Promise<OutputOf<'organizations.get'>>
    readonly invitations: {
      /**
       * Accept an invitation that was sent to the address of the caller, who joins the organization.
       *
       * Operation `organizations.invitations.accept`; scope `organizations:write`; effect `compute`.
       * @throws {@link NotFoundError}, {@link ForbiddenError}, {@link InvalidStateError}
       */
      accept(input: InputOf<'organizations.invitations.accept'>, options?: CallOptions): Promise<OutputOf<'organizations.invitations.accept'>>
      /**
       * Invite somebody by e-mail to the organization and its projects; the response says nothing of other accounts.
       *
       * Operation `organizations.invitations.create`; scope `organizations:write`; effect `compute`.
       * @throws {@link NotFoundError}, {@link ForbiddenError}, {@link NameTakenError}, {@link InvalidStateError}
       */
      create(input: InputOf<'organizations.invitations.create'>, options?: CallOptions): Promise<OutputOf<'organizations.invitations.create'>>
      /**
       * List the invitations of the organization, newest first.
       *
       * Operation `organizations.invitations.list`; scope `organizations:read`; effect `read`.
       */
      list(input?: InputOf<'organizations.invitations.list'>, options?: CallOptions): PagedCall<OutputOf<'organizations.invitations.list'>, OutputOf<'organizations.invitations.list'>['invitations'][number]>
      /**
       * Send an invitation again, with a new link and a new expiry; the former link is not valid any more.
       *
       * Operation `organizations.invitations.resend`; scope `organizations:write`; effect `compute`.
       * @throws {@link NotFoundError}, {@link ForbiddenError}, {@link InvalidStateError}
       */
      resend(input: InputOf<'organizations.invitations.resend'>, options?: CallOptions): Promise<OutputOf<'organizations.invitations.resend'>>
      /**
       * Withdraw an invitation: its link is not valid any more.
       *
       * Operation `organizations.invitations.revoke`; scope `organizations:write`; effect `destructive`.
       * @throws {@link NotFoundError}, {@link ForbiddenError}, {@link InvalidStateError}
       */
      revoke(input: InputOf<'organizations.invitations.revoke'>, options?: CallOptions): Promise<OutputOf<'organizations.invitations.revoke'>>
    }
    /**
     * Leave the organization of the token; its last owner cannot.
     *
     * Operation `organizations.leave`; scope `organizations:write`; effect `destructive`.
     * @throws {@link NotFoundError}, {@link InvalidStateError}
     */
    leave(input?: InputOf<'organizations.leave'>, options?: CallOptions): Promise<OutputOf<'organizations.leave'>>
    readonly members: {
      /**
       * Add a user to the organization by email; without a mail server the response has a one-time password.
       *
       * Operation `organizations.members.add`; scope `organizations:write`; effect `compute`.
       * @throws {@link NotFoundError}, {@link ForbiddenError}, {@link NameTakenError}
       */
      add(input: InputOf<'organizations.members.add'>, options?: CallOptions): Promise<OutputOf<'organizations.members.add'>>
      /**
       * List the members of an organization with their roles and spend limits.
       *
       * Operation `organizations.members.list`; scope `organizations:read`; effect `read`.
       * @throws {@link NotFoundError}
       */
      list(input?: InputOf<'organizations.members.list'>, options?: CallOptions): Promise<OutputOf<'organizations.members.list'>>
      /**
       * Remove a member: sessions for this organization end, and what the member has made in it stops.
       *
       * Operation `organizations.members.remove`; scope `organizations:write`; effect `destructive`.
       * @throws {@link NotFoundError}, {@link ForbiddenError}, {@link InvalidStateError}
       */
      remove(input: InputOf<'organizations.members.remove'>, options?: CallOptions): Promise<OutputOf<'organizations.members.remove'>>
      /**
       * Replace all project memberships of a member at once.
       *
       * Operation `organizations.members.set_projects`; scope `organizations:write`; effect `compute`.
       * @throws {@link NotFoundError}, {@link ForbiddenError}, {@link InvalidStateError}
       */
      set_projects(input: InputOf<'organizations.members.set_projects'>, options?: CallOptions): Promise<OutputOf<'organizations.members.set_projects'>>
      /**
       * Change the role of a member; the organization keeps an owner.
       *
       * Operation `organizations.members.set_role`; scope `organizations:write`; effect `compute`.
       * @throws {@link NotFoundError}, {@link ForbiddenError}, {@link InvalidStateError}
       */
      set_role(input: InputOf<'organizations.members.set_role'>, options?: CallOptions): Promise<OutputOf<'organizations.members.set_role'>>
      /**
       * Set the spend limits of a member: per order, and in any 30 days.
       *
       * Operation `organizations.members.set_spend_limit`; scope `organizations:write`; effect `compute`.
       * @throws {@link NotFoundError}
       */
      set_spend_limit(input: InputOf<'organizations.members.set_spend_limit'>, options?: CallOptions): Promise<OutputOf<'organizations.members.set_spend_limit'>>
      readonly spend: {
        /**
         * Read what counts towards a member's 30-day spend limit; owners and admins may read that of any member.
         *
         * Operation `organizations.members.spend.get`; scope `organizations:read`; effect `read`.
         * @throws {@link NotFoundError}, {@link ForbiddenError}, {@link UserRequiredError}
         */
        get(input?: InputOf<'organizations.members.spend.get'>, options?: CallOptions): Promise<OutputOf<'organizations.members.spend.get'>>
      }
    }
    readonly provider: {
      /**
       * Read how members sign in with the OpenID Connect provider of the organization; null if it has none.
       *
       * Operation `organizations.provider.get`; scope `organizations:read`; effect `read`.
       */
      get(input?: InputOf<'organizations.provider.get'>, options?: CallOptions): Promise<OutputOf<'organizations.provider.get'>>
      /**
       * Remove the provider of the organization: sessions that began with it end, and passwords are accepted again.
       *
       * Operation `organizations.provider.remove`; scope `organizations:write`; effect `destructive`.
       * @throws {@link NotFoundError}
       */
      remove(input?: InputOf<'organizations.provider.remove'>, options?: CallOptions): Promise<OutputOf<'organizations.provider.remove'>>
      /**
       * Set the OpenID Connect provider of the organization; what is left out gets its default.
       *
       * Operation `organizations.provider.set`; scope `organizations:write`; effect `compute`.
       * @throws {@link NotFoundError}, {@link ForbiddenError}, {@link InvalidStateError}
       */
      set(input: InputOf<'organizations.provider.set'>, options?: CallOptions): Promise<OutputOf<'organizations.provider.set'>>
      /**
       * Read the discovery document and the keys of the provider, and say what is wrong; null without one.
       *
       * Operation `organizations.provider.test`; scope `organizations:read`; effect `read`.
       */
      test(input?: InputOf<'organizations.provider.test'>, options?: CallOptions): Promise<OutputOf<'organizations.provider.test'>>
    }
    /**
     * Keep an organization that was to be closed.
     *
     * Operation `organizations.restore`; scope `organizations:write`; effect `compute`.
     * @throws {@link NotFoundError}, {@link InvalidStateError}
     */
    restore(input?: InputOf<'organizations.restore'>, options?: CallOptions): Promise<OutputOf<'organizations.restore'>>
    readonly scim_tokens: {
      /**
       * Create a token with which the directory of the organization provisions members by SCIM; shown once.
       *
       * Operation `organizations.scim_tokens.create`; scope `organizations:write`; effect `compute`.
       * @throws {@link InvalidStateError}
       */
      create(input: InputOf<'organizations.scim_tokens.create'>, options?: CallOptions): Promise<OutputOf<'organizations.scim_tokens.create'>>
      /**
       * List the SCIM tokens of the organization, newest first, with those that were revoked.
       *
       * Operation `organizations.scim_tokens.list`; scope `organizations:read`; effect `read`.
       */
      list(input?: InputOf<'organizations.scim_tokens.list'>, options?: CallOptions): PagedCall<OutputOf<'organizations.scim_tokens.list'>, OutputOf<'organizations.scim_tokens.list'>['scim_tokens'][number]>
      /**
       * Revoke a SCIM token at once; the members that it provisioned stay.
       *
       * Operation `organizations.scim_tokens.revoke`; scope `organizations:write`; effect `destructive`.
       * @throws {@link NotFoundError}, {@link InvalidStateError}
       */
      revoke(input: InputOf<'organizations.scim_tokens.revoke'>, options?: CallOptions): Promise<OutputOf<'organizations.scim_tokens.revoke'>>
    }
    readonly security: {
      /**
       * Read how members of the organization have to sign in.
       *
       * Operation `organizations.security.get`; scope `organizations:read`; effect `read`.
       */
      get(input?: InputOf<'organizations.security.get'>, options?: CallOptions): Promise<OutputOf<'organizations.security.get'>>
      /**
       * Require a second factor of members, or not; sessions that signed in without one lose the organization.
       *
       * Operation `organizations.security.update`; scope `organizations:write`; effect `compute`.
       * @throws {@link InvalidStateError}
       */
      update(input: InputOf<'organizations.security.update'>, options?: CallOptions): Promise<OutputOf<'organizations.security.update'>>
    }
    readonly support_access: {
      /**
       * End a support access that was granted; the operator reads nothing more from that moment.
       *
       * Operation `organizations.support_access.end`; scope `organizations:write`; effect `compute`.
       * @throws {@link NotFoundError}, {@link InvalidStateError}
       */
      end(input: InputOf<'organizations.support_access.end'>, options?: CallOptions): Promise<OutputOf<'organizations.support_access.end'>>
      /**
       * Let the operator who asks read as a member of the organization, for the time asked for or a shorter one.
       *
       * Operation `organizations.support_access.grant`; scope `organizations:write`; effect `compute`.
       * @throws {@link NotFoundError}, {@link InvalidStateError}
       */
      grant(input: InputOf<'organizations.support_access.grant'>, options?: CallOptions): Promise<OutputOf<'organizations.support_access.grant'>>
      /**
       * List what operators of the platform have asked the organization for, and were granted, newest first.
       *
       * Operation `organizations.support_access.list`; scope `organizations:read`; effect `read`.
       */
      list(input?: InputOf<'organizations.support_access.list'>, options?: CallOptions): PagedCall<OutputOf<'organizations.support_access.list'>, OutputOf<'organizations.support_access.list'>['support_accesses'][number]>
      /**
       * Refuse the support access that an operator asks for.
       *
       * Operation `organizations.support_access.refuse`; scope `organizations:write`; effect `compute`.
       * @throws {@link NotFoundError}, {@link InvalidStateError}
       */
      refuse(input: InputOf<'organizations.support_access.refuse'>, options?: CallOptions): Promise<OutputOf<'organizations.support_access.refuse'>>
    }
    readonly tokens: {
      /**
       * List the personal access tokens of members for this organization, newest first.
       *
       * Operation `organizations.tokens.list`; scope `organizations:read`; effect `read`.
       * @throws {@link NotFoundError}
       */
      list(input?: InputOf<'organizations.tokens.list'>, options?: CallOptions): PagedCall<OutputOf<'organizations.tokens.list'>, OutputOf<'organizations.tokens.list'>['tokens'][number]>
      /**
       * Revoke a personal access token of a member immediately.
       *
       * Operation `organizations.tokens.revoke`; scope `organizations:write`; effect `destructive`.
       * @throws {@link NotFoundError}, {@link ForbiddenError}
       */
      revoke(input: InputOf<'organizations.tokens.revoke'>, options?: CallOptions): Promise<OutputOf<'organizations.tokens.revoke'>>
    }
    /**
     * Make another member the owner; the caller becomes an admin.
     *
     * Operation `organizations.transfer_ownership`; scope `organizations:write`; effect `compute`.
     * @throws {@link NotFoundError}, {@link InvalidStateError}
     */
    transfer_ownership(input: InputOf<'organizations.transfer_ownership'>, options?: CallOptions): Promise<OutputOf<'organizations.transfer_ownership'>>
    /**
     * Change the details of the organization for its next invoices; issued ones keep what was true.
     *
     * Operation `organizations.update`; scope `organizations:write`; effect `compute`.
     * @throws {@link NotFoundError}
     */
    update(input?: InputOf<'organizations.update'>, options?: CallOptions): Promise<OutputOf<'organizations.update'>>
  }
  readonly payment_methods: {
    /**
     * Attach a card that the payment processor has confirmed.
     *
     * Operation `payment_methods.attach`; scope `billing:write`; effect `compute`.
     * @throws {@link PaymentDeclinedError}, {@link UpstreamError}
     */
    attach(input: InputOf<'payment_methods.attach'>, options?: CallOptions): Promise<OutputOf<'payment_methods.attach'>>
    /**
     * Create a setup intent to save a card with the payment processor.
     *
     * Operation `payment_methods.create_setup_intent`; scope `billing:write`; effect `compute`.
     * @throws {@link PaymentDeclinedError}, {@link UpstreamError}
     */
    create_setup_intent(input?: InputOf<'payment_methods.create_setup_intent'>, options?: CallOptions): Promise<OutputOf<'payment_methods.create_setup_intent'>>
    /**
     * Detach a card; rejected for the default card while automatic top-up or a hold requires it.
     *
     * Operation `payment_methods.detach`; scope `billing:write`; effect `destructive`.
     * @throws {@link NotFoundError}, {@link InvalidStateError}, {@link PaymentDeclinedError}, {@link UpstreamError}
     */
    detach(input: InputOf<'payment_methods.detach'>, options?: CallOptions): Promise<OutputOf<'payment_methods.detach'>>
    /**
     * List the saved cards.
     *
     * Operation `payment_methods.list`; scope `billing:read`; effect `read`.
     */
    list(input?: InputOf<'payment_methods.list'>, options?: CallOptions): Promise<OutputOf<'payment_methods.list'>>
    /**
     * Set the default card.
     *
     * Operation `payment_methods.set_default`; scope `billing:write`; effect `compute`.
     * @throws {@link NotFoundError}, {@link PaymentDeclinedError}, {@link UpstreamError}
     */
    set_default(input: InputOf<'payment_methods.set_default'>, options?: CallOptions): Promise<OutputOf<'payment_methods.set_default'>>
  }
  readonly processing: {
    readonly catalog: {
      /**
       * Estimate the price of executing a process; nothing is stored.
       *
       * Operation `processing.catalog.estimate`; scope `processing:read`; effect `read`.
       * @throws {@link NotFoundError}, {@link NotAMemberError}, {@link GoneRetentionError}, {@link UnsupportedRasterError}, {@link BudgetExceededError}, {@link ForbiddenError}, {@link UpstreamError}
       */
      estimate(input: InputOf<'processing.catalog.estimate'>, options?: CallOptions): Promise<OutputOf<'processing.catalog.estimate'>>
      /**
       * Read a process with the schema of its inputs.
       *
       * Operation `processing.catalog.get`; scope `processing:read`; effect `read`.
       * @throws {@link NotFoundError}
       */
      get(input: InputOf<'processing.catalog.get'>, options?: CallOptions): Promise<OutputOf<'processing.catalog.get'>>
      /**
       * List the processes that can be executed.
       *
       * Operation `processing.catalog.list`; scope `processing:read`; effect `read`.
       */
      list(input?: InputOf<'processing.catalog.list'>, options?: CallOptions): Promise<OutputOf<'processing.catalog.list'>>
      /**
       * Validate inputs against the schema of a process.
       *
       * Operation `processing.catalog.validate`; scope `processing:read`; effect `read`.
       * @throws {@link NotFoundError}, {@link UpstreamError}
       */
      validate(input: InputOf<'processing.catalog.validate'>, options?: CallOptions): Promise<OutputOf<'processing.catalog.validate'>>
    }
    /**
     * Create a job and hold its price.
     *
     * Operation `processing.create`; scope `processing:process`; effect `spend`.
     * @throws {@link NotFoundError}, {@link NotAMemberError}, {@link GoneRetentionError}, {@link UnsupportedRasterError}, {@link BudgetExceededError}, {@link ForbiddenError}, {@link UpstreamError}, {@link InvalidStateError}, {@link PastDueError}, {@link InsufficientCreditsError}, {@link PaymentDeclinedError}, {@link PaymentActionRequiredError}, {@link SpendLimitExceededError}, {@link QuotaStorageError}
     */
    create(input: InputOf<'processing.create'>, options?: SpendOptions): Promise<OutputOf<'processing.create'>>
    /**
     * Create a job, hold its price and dispatch it to a worker, atomically.
     *
     * Operation `processing.create_and_dispatch`; scope `processing:process`; effect `spend`.
     * @throws {@link NotFoundError}, {@link NotAMemberError}, {@link GoneRetentionError}, {@link UnsupportedRasterError}, {@link BudgetExceededError}, {@link ForbiddenError}, {@link UpstreamError}, {@link InvalidStateError}, {@link PastDueError}, {@link InsufficientCreditsError}, {@link PaymentDeclinedError}, {@link PaymentActionRequiredError}, {@link SpendLimitExceededError}, {@link QuotaStorageError}
     */
    create_and_dispatch(input: InputOf<'processing.create_and_dispatch'>, options?: SpendOptions): Promise<OutputOf<'processing.create_and_dispatch'>>
    /**
     * Dispatch a pending job to a worker.
     *
     * Operation `processing.dispatch`; scope `processing:process`; effect `spend`.
     * @throws {@link NotFoundError}, {@link NotAMemberError}, {@link InvalidStateError}
     */
    dispatch(input: InputOf<'processing.dispatch'>, options?: CallOptions): Promise<OutputOf<'processing.dispatch'>>
    /**
     * Execute a process: create a job, hold its price and dispatch it to a worker.
     *
     * Operation `processing.execute`; scope `processing:process`; effect `spend`.
     * @throws {@link NotFoundError}, {@link NotAMemberError}, {@link GoneRetentionError}, {@link UnsupportedRasterError}, {@link BudgetExceededError}, {@link ForbiddenError}, {@link UpstreamError}, {@link InvalidStateError}, {@link PastDueError}, {@link InsufficientCreditsError}, {@link PaymentDeclinedError}, {@link PaymentActionRequiredError}, {@link SpendLimitExceededError}, {@link QuotaStorageError}
     */
    execute(input: InputOf<'processing.execute'>, options?: SpendOptions): Promise<OutputOf<'processing.execute'>>
    readonly job: {
      /**
       * Cancel a job that has not ended, and release its hold.
       *
       * Operation `processing.job.cancel`; scope `processing:process`; effect `destructive`.
       * @throws {@link NotFoundError}, {@link NotAMemberError}, {@link InvalidStateError}
       */
      cancel(input: InputOf<'processing.job.cancel'>, options?: CallOptions): Promise<OutputOf<'processing.job.cancel'>>
      /**
       * Hand a pending job to a program outside of the server, with a token that can only register its outputs.
       *
       * Operation `processing.job.delegate`; scope `processing:process`; effect `compute`.
       * @throws {@link NotFoundError}, {@link NotAMemberError}, {@link InvalidStateError}, {@link GoneRetentionError}, {@link PastDueError}, {@link DownloadCapError}, {@link BandwidthBreakerError}, {@link QuotaStorageError}
       */
      delegate(input: InputOf<'processing.job.delegate'>, options?: CallOptions): Promise<OutputOf<'processing.job.delegate'>>
      /**
       * Delete a job that has ended; its items are kept.
       *
       * Operation `processing.job.delete`; scope `clip:destroy`; effect `destructive`.
       * @throws {@link NotFoundError}, {@link NotAMemberError}, {@link InvalidStateError}
       */
      delete(input: InputOf<'processing.job.delete'>, options?: CallOptions): Promise<OutputOf<'processing.job.delete'>>
      /**
       * Read a job of the organization.
       *
       * Operation `processing.job.get`; scope `processing:read`; effect `read`.
       * @throws {@link NotFoundError}, {@link NotAMemberError}
       */
      get(input: InputOf<'processing.job.get'>, options?: CallOptions): Promise<OutputOf<'processing.job.get'>>
      /**
       * List the log of a job, oldest entry first.
       *
       * Operation `processing.job.log`; scope `processing:read`; effect `read`.
       * @throws {@link NotFoundError}, {@link NotAMemberError}
       */
      log(input: InputOf<'processing.job.log'>, options?: CallOptions): PagedCall<OutputOf<'processing.job.log'>, OutputOf<'processing.job.log'>['entries'][number]>
      /**
       * Register the outputs of a job as items and settle its hold; called by the worker of the job.
       *
       * Operation `processing.job.register`; scope `processing:process`; effect `spend`.
       * @throws {@link NotFoundError}, {@link ForbiddenError}, {@link InvalidStateError}, {@link UnsupportedRasterError}, {@link BudgetExceededError}, {@link QuotaStorageError}
       */
      register(input: InputOf<'processing.job.register'>, options?: CallOptions): Promise<OutputOf<'processing.job.register'>>
      /**
       * Read the tile URLs of the results of a job.
       *
       * Operation `processing.job.tile_info`; scope `clip:read`; effect `read`.
       * @throws {@link NotFoundError}, {@link NotAMemberError}
       */
      tile_info(input: InputOf<'processing.job.tile_info'>, options?: CallOptions): Promise<OutputOf<'processing.job.tile_info'>>
    }
    readonly job_types: {
      /**
       * List the job types.
       *
       * Operation `processing.job_types.list`; scope `processing:read`; effect `read`.
       */
      list(input?: InputOf<'processing.job_types.list'>, options?: CallOptions): Promise<OutputOf<'processing.job_types.list'>>
    }
    readonly jobs: {
      /**
       * List the jobs of the organization that the caller can see.
       *
       * Operation `processing.jobs.list`; scope `processing:read`; effect `read`.
       * @throws {@link NotFoundError}, {@link NotAMemberError}
       */
      list(input?: InputOf<'processing.jobs.list'>, options?: CallOptions): PagedCall<OutputOf<'processing.jobs.list'>, OutputOf<'processing.jobs.list'>['jobs'][number]>
      /**
       * Execute a failed or cancelled job again: a new job with the same inputs, priced and held anew.
       *
       * Operation `processing.jobs.retry`; scope `processing:process`; effect `spend`.
       * @throws {@link NotFoundError}, {@link NotAMemberError}, {@link GoneRetentionError}, {@link UnsupportedRasterError}, {@link BudgetExceededError}, {@link ForbiddenError}, {@link UpstreamError}, {@link InvalidStateError}, {@link PastDueError}, {@link InsufficientCreditsError}, {@link PaymentDeclinedError}, {@link PaymentActionRequiredError}, {@link SpendLimitExceededError}, {@link QuotaStorageError}
       */
      retry(input: InputOf<'processing.jobs.retry'>, options?: SpendOptions): Promise<OutputOf<'processing.jobs.retry'>>
    }
    readonly project_job: {
      /**
       * Read a job of a project that the caller is a member of.
       *
       * Operation `processing.project_job.get`; scope `processing:read`; effect `read`.
       * @throws {@link NotFoundError}, {@link NotAMemberError}
       */
      get(input: InputOf<'processing.project_job.get'>, options?: CallOptions): Promise<OutputOf<'processing.project_job.get'>>
    }
    readonly project_jobs: {
      /**
       * List the jobs of a project, newest first.
       *
       * Operation `processing.project_jobs.list`; scope `processing:read`; effect `read`.
       * @throws {@link NotFoundError}, {@link NotAMemberError}
       */
      list(input: InputOf<'processing.project_jobs.list'>, options?: CallOptions): PagedCall<OutputOf<'processing.project_jobs.list'>, OutputOf<'processing.project_jobs.list'>['jobs'][number]>
    }
  }
  readonly projects: {
    /**
     * Add a member of the organization to a project with a role.
     *
     * Operation `projects.add_member`; scope `projects:write`; effect `compute`.
     * @throws {@link NotFoundError}, {@link NotAMemberError}, {@link ForbiddenError}, {@link InvalidStateError}
     */
    add_member(input: InputOf<'projects.add_member'>, options?: CallOptions): Promise<OutputOf<'projects.add_member'>>
    /**
     * Archive a project: hide it from the default list and reject writes; `is_archived` false restores it.
     *
     * Operation `projects.archive`; scope `projects:write`; effect `compute`.
     * @throws {@link NotFoundError}, {@link NotAMemberError}, {@link NameTakenError}
     */
    archive(input: InputOf<'projects.archive'>, options?: CallOptions): Promise<OutputOf<'projects.archive'>>
    /**
     * Create a project; its creator becomes the owner.
     *
     * Operation `projects.create`; scope `projects:write`; effect `compute`.
     * @throws {@link NotAMemberError}, {@link NameTakenError}
     */
    create(input: InputOf<'projects.create'>, options?: CallOptions): Promise<OutputOf<'projects.create'>>
    /**
     * Permanently delete a project; the lineage of its items stays readable.
     *
     * Operation `projects.delete`; scope `projects:write`; effect `destructive`.
     * @throws {@link NotFoundError}, {@link NotAMemberError}, {@link InvalidStateError}
     */
    delete(input: InputOf<'projects.delete'>, options?: CallOptions): Promise<OutputOf<'projects.delete'>>
    /**
     * Read a project.
     *
     * Operation `projects.get`; scope `items:read`; effect `read`.
     * @throws {@link NotFoundError}, {@link NotAMemberError}
     */
    get(input: InputOf<'projects.get'>, options?: CallOptions): Promise<OutputOf<'projects.get'>>
    /**
     * List the projects that the caller can see.
     *
     * Operation `projects.list`; scope `items:read`; effect `read`.
     */
    list(input?: InputOf<'projects.list'>, options?: CallOptions): PagedCall<OutputOf<'projects.list'>, OutputOf<'projects.list'>['projects'][number]>
    readonly members: {
      /**
       * List the members of a project with their roles.
       *
       * Operation `projects.members.list`; scope `items:read`; effect `read`.
       * @throws {@link NotFoundError}, {@link NotAMemberError}
       */
      list(input: InputOf<'projects.members.list'>, options?: CallOptions): Promise<OutputOf<'projects.members.list'>>
    }
    /**
     * Remove a member from a project; the last owner cannot be removed.
     *
     * Operation `projects.remove_member`; scope `projects:write`; effect `destructive`.
     * @throws {@link NotFoundError}, {@link NotAMemberError}, {@link ForbiddenError}, {@link InvalidStateError}
     */
    remove_member(input: InputOf<'projects.remove_member'>, options?: CallOptions): Promise<OutputOf<'projects.remove_member'>>
    /**
     * Update the name or description of a project, or archive it.
     *
     * Operation `projects.update`; scope `projects:write`; effect `compute`.
     * @throws {@link NotFoundError}, {@link NotAMemberError}, {@link NameTakenError}, {@link InvalidStateError}
     */
    update(input: InputOf<'projects.update'>, options?: CallOptions): Promise<OutputOf<'projects.update'>>
    /**
     * Change the role of a project member.
     *
     * Operation `projects.update_member`; scope `projects:write`; effect `compute`.
     * @throws {@link NotFoundError}, {@link NotAMemberError}, {@link ForbiddenError}, {@link InvalidStateError}
     */
    update_member(input: InputOf<'projects.update_member'>, options?: CallOptions): Promise<OutputOf<'projects.update_member'>>
  }
  readonly provenance: {
    /**
     * Export the lineage of an entity as W3C PROV-JSON.
     *
     * Operation `provenance.export`; scope `provenance:read`; effect `export`.
     * @throws {@link NotFoundError}, {@link NotAMemberError}
     */
    export(input: InputOf<'provenance.export'>, options?: CallOptions): Promise<OutputOf<'provenance.export'>>
    /**
     * Read the lineage of an entity of the organization: up to its sources, or down to its derivatives.
     *
     * Operation `provenance.get`; scope `provenance:read`; effect `read`.
     * @throws {@link NotFoundError}, {@link NotAMemberError}
     */
    get(input: InputOf<'provenance.get'>, options?: CallOptions): Promise<OutputOf<'provenance.get'>>
  }
  readonly reports: {
    /**
     * Generate a report as PDF with charts and a map, CSV and GeoJSON; the files are kept for 90 days.
     *
     * Operation `reports.create`; scope `reports:write`; effect `compute`.
     * @throws {@link NotFoundError}, {@link NotAMemberError}, {@link UserRequiredError}, {@link BudgetExceededError}
     */
    create(input: InputOf<'reports.create'>, options?: CallOptions): Promise<OutputOf<'reports.create'>>
    /**
     * Delete a report and its files.
     *
     * Operation `reports.delete`; scope `reports:write`; effect `destructive`.
     * @throws {@link NotFoundError}
     */
    delete(input: InputOf<'reports.delete'>, options?: CallOptions): Promise<OutputOf<'reports.delete'>>
    /**
     * Generate a report on the orders, spending, usage, processing, inventory or a monitored area as rows.
     *
     * Operation `reports.generate`; scope `reports:read`; effect `read`.
     * @throws {@link NotFoundError}, {@link NotAMemberError}, {@link BudgetExceededError}
     */
    generate(input: InputOf<'reports.generate'>, options?: CallOptions): Promise<OutputOf<'reports.generate'>>
    /**
     * Read a report that was generated for the caller, with signed URLs of its files.
     *
     * Operation `reports.get`; scope `reports:read`; effect `read`.
     * @throws {@link NotFoundError}
     */
    get(input: InputOf<'reports.get'>, options?: CallOptions): Promise<OutputOf<'reports.get'>>
    /**
     * List the reports that were generated for the caller, newest first.
     *
     * Operation `reports.list`; scope `reports:read`; effect `read`.
     */
    list(input?: InputOf<'reports.list'>, options?: CallOptions): PagedCall<OutputOf<'reports.list'>, OutputOf<'reports.list'>['reports'][number]>
    readonly schedules: {
      /**
       * Generate a report regularly and send it to the caller by e-mail.
       *
       * Operation `reports.schedules.create`; scope `reports:write`; effect `compute`.
       * @throws {@link NotFoundError}, {@link NotAMemberError}, {@link QuotaExceededError}, {@link UserRequiredError}
       */
      create(input: InputOf<'reports.schedules.create'>, options?: CallOptions): Promise<OutputOf<'reports.schedules.create'>>
      /**
       * Delete a schedule; the reports that it has generated stay.
       *
       * Operation `reports.schedules.delete`; scope `reports:write`; effect `destructive`.
       * @throws {@link NotFoundError}
       */
      delete(input: InputOf<'reports.schedules.delete'>, options?: CallOptions): Promise<OutputOf<'reports.schedules.delete'>>
      /**
       * List the schedules of reports of the caller, newest first.
       *
       * Operation `reports.schedules.list`; scope `reports:read`; effect `read`.
       */
      list(input?: InputOf<'reports.schedules.list'>, options?: CallOptions): PagedCall<OutputOf<'reports.schedules.list'>, OutputOf<'reports.schedules.list'>['schedules'][number]>
    }
  }
  readonly sandbox: {
    readonly clock: {
      /**
       * Move the clock of a sandbox organization forward; what falls due meanwhile happens in its order.
       *
       * Operation `sandbox.clock.advance`; scope `organizations:write`; effect `compute`.
       * @throws {@link ForbiddenError}, {@link InvalidStateError}
       */
      advance(input?: InputOf<'sandbox.clock.advance'>, options?: CallOptions): Promise<OutputOf<'sandbox.clock.advance'>>
      /**
       * Read the clock of a sandbox organization.
       *
       * Operation `sandbox.clock.get`; scope `organizations:read`; effect `read`.
       * @throws {@link ForbiddenError}
       */
      get(input?: InputOf<'sandbox.clock.get'>, options?: CallOptions): Promise<OutputOf<'sandbox.clock.get'>>
    }
    /**
     * End the orders of a sandbox organization, delete its items and set its credits back; its records stay.
     *
     * Operation `sandbox.reset`; scope `organizations:write`; effect `destructive`.
     * @throws {@link ForbiddenError}, {@link InvalidStateError}, {@link UpstreamError}
     */
    reset(input?: InputOf<'sandbox.reset'>, options?: CallOptions): Promise<OutputOf<'sandbox.reset'>>
    readonly scenario: {
      /**
       * Make hosts and banks delay, fail, refuse or lie to a sandbox organization from now on.
       *
       * Operation `sandbox.scenario.run`; scope `organizations:write`; effect `compute`.
       * @throws {@link ForbiddenError}, {@link InvalidStateError}
       */
      run(input: InputOf<'sandbox.scenario.run'>, options?: CallOptions): Promise<OutputOf<'sandbox.scenario.run'>>
    }
  }
  readonly share: {
    readonly asset: {
      /**
       * Issue a signed URL for a file of a share link that permits downloads; it is valid for 15 minutes.
       *
       * Operation `share.asset.download`; scope `shares:read`; effect `export`.
       * @throws {@link NotFoundError}, {@link ForbiddenError}, {@link GoneExpiredError}, {@link GoneRetentionError}, {@link PastDueError}, {@link QuotaExceededError}, {@link InvalidStateError}, {@link DownloadCapError}, {@link BandwidthBreakerError}
       */
      download(input: InputOf<'share.asset.download'>, options?: CallOptions): Promise<OutputOf<'share.asset.download'>>
    }
    readonly items: {
      /**
       * List the items of a share link, newest first.
       *
       * Operation `share.items.list`; scope `shares:read`; effect `read`.
       * @throws {@link NotFoundError}, {@link ForbiddenError}, {@link GoneExpiredError}, {@link GoneRetentionError}, {@link PastDueError}, {@link QuotaExceededError}
       */
      list(input: InputOf<'share.items.list'>, options?: CallOptions): PagedCall<OutputOf<'share.items.list'>, OutputOf<'share.items.list'>['items'][number]>
    }
    readonly link: {
      /**
       * Create a password-protected share link to an item or a collection, with an expiry.
       *
       * Operation `share.link.create`; scope `shares:write`; effect `export`.
       * @throws {@link NotFoundError}, {@link NotAMemberError}, {@link InvalidStateError}, {@link GoneRetentionError}
       */
      create(input: InputOf<'share.link.create'>, options?: CallOptions): Promise<OutputOf<'share.link.create'>>
      /**
       * Read a share link with its views, downloads and cost.
       *
       * Operation `share.link.get`; scope `shares:read`; effect `read`.
       * @throws {@link NotFoundError}, {@link NotAMemberError}
       */
      get(input: InputOf<'share.link.get'>, options?: CallOptions): Promise<OutputOf<'share.link.get'>>
      /**
       * List the share links of a project, an item or a collection, newest first.
       *
       * Operation `share.link.list`; scope `shares:read`; effect `read`.
       * @throws {@link NotFoundError}, {@link NotAMemberError}
       */
      list(input?: InputOf<'share.link.list'>, options?: CallOptions): PagedCall<OutputOf<'share.link.list'>, OutputOf<'share.link.list'>['links'][number]>
      /**
       * Revoke a share link immediately, with its sessions and the signed URLs issued through it.
       *
       * Operation `share.link.revoke`; scope `shares:write`; effect `destructive`.
       * @throws {@link NotFoundError}, {@link NotAMemberError}
       */
      revoke(input: InputOf<'share.link.revoke'>, options?: CallOptions): Promise<OutputOf<'share.link.revoke'>>
      /**
       * Update the expiry, password, permission or limits of a share link; absent fields keep their values.
       *
       * Operation `share.link.update`; scope `shares:write`; effect `compute`.
       * @throws {@link NotFoundError}, {@link NotAMemberError}, {@link InvalidStateError}, {@link UserRequiredError}
       */
      update(input: InputOf<'share.link.update'>, options?: CallOptions): Promise<OutputOf<'share.link.update'>>
      /**
       * Open a share link with its password and read the shared resource.
       *
       * Operation `share.link.validate`; scope `shares:read`; effect `read`.
       * @throws {@link NotFoundError}, {@link ForbiddenError}, {@link GoneExpiredError}, {@link GoneRetentionError}, {@link PastDueError}, {@link QuotaExceededError}
       */
      validate(input: InputOf<'share.link.validate'>, options?: CallOptions): Promise<OutputOf<'share.link.validate'>>
    }
    readonly session: {
      /**
       * Exchange the password of a share link for a short-lived token, which may be used in URLs.
       *
       * Operation `share.session.create`; scope `shares:read`; effect `export`.
       * @throws {@link NotFoundError}, {@link ForbiddenError}, {@link GoneExpiredError}, {@link GoneRetentionError}, {@link PastDueError}, {@link QuotaExceededError}
       */
      create(input: InputOf<'share.session.create'>, options?: CallOptions): Promise<OutputOf<'share.session.create'>>
    }
    readonly tile: {
      /**
       * Render a tile of a share link, charged to its organization; for a collection the newest item is on top.
       *
       * Operation `share.tile.render`; scope `shares:read`; effect `read`.
       * @throws {@link NotFoundError}, {@link ForbiddenError}, {@link GoneExpiredError}, {@link GoneRetentionError}, {@link PastDueError}, {@link QuotaExceededError}, {@link InsufficientCreditsError}, {@link UnsupportedRasterError}, {@link BudgetExceededError}, {@link UpstreamError}
       */
      render(input: InputOf<'share.tile.render'>, options?: CallOptions): Promise<Uint8Array>
    }
    /**
     * Read the TileJSON 3.0.0 of a share link; its tile URLs contain a session token.
     *
     * Operation `share.tilejson`; scope `shares:read`; effect `read`.
     * @throws {@link NotFoundError}, {@link ForbiddenError}, {@link GoneExpiredError}, {@link GoneRetentionError}, {@link PastDueError}, {@link QuotaExceededError}, {@link UnsupportedRasterError}
     */
    tilejson(input: InputOf<'share.tilejson'>, options?: CallOptions): Promise<OutputOf<'share.tilejson'>>
  }
  readonly stac: {
    /**
     * Aggregate the items of a search by month, cloud cover and collection.
     *
     * Operation `stac.aggregate`; scope `items:read`; effect `read`.
     * @throws {@link ConflictingParametersError}, {@link UnsupportedFilterError}, {@link BudgetExceededError}, {@link NotFoundError}, {@link NotAMemberError}
     */
    aggregate(input?: InputOf<'stac.aggregate'>, options?: CallOptions): Promise<OutputOf<'stac.aggregate'>>
    /**
     * List the aggregations that `stac.aggregate` can make, of all items or of one collection.
     *
     * Operation `stac.aggregations`; scope `items:read`; effect `read`.
     * @throws {@link NotFoundError}, {@link NotAMemberError}
     */
    aggregations(input?: InputOf<'stac.aggregations'>, options?: CallOptions): Promise<OutputOf<'stac.aggregations'>>
    readonly collections: {
      /**
       * Delete a collection by its id alone; its items stay and belong to no collection.
       *
       * Operation `stac.collections.delete`; scope `collections:write`; effect `destructive`.
       * @throws {@link NotFoundError}, {@link NotAMemberError}, {@link InvalidStateError}
       */
      delete(input: InputOf<'stac.collections.delete'>, options?: CallOptions): Promise<OutputOf<'stac.collections.delete'>>
      /**
       * Read a collection as a STAC Collection.
       *
       * Operation `stac.collections.get`; scope `items:read`; effect `read`.
       * @throws {@link NotFoundError}, {@link NotAMemberError}
       */
      get(input: InputOf<'stac.collections.get'>, options?: CallOptions): Promise<OutputOf<'stac.collections.get'>>
      /**
       * List or search the collections that the caller can see, as STAC Collections.
       *
       * Operation `stac.collections.list`; scope `items:read`; effect `read`.
       */
      list(input?: InputOf<'stac.collections.list'>, options?: CallOptions): Promise<OutputOf<'stac.collections.list'>>
    }
    /**
     * List the conformance classes of the STAC API; public.
     *
     * Operation `stac.conformance`; scope `items:read`; effect `read`.
     */
    conformance(input?: InputOf<'stac.conformance'>, options?: CallOptions): Promise<OutputOf<'stac.conformance'>>
    readonly items: {
      /**
       * Create items in a collection from a STAC Item or ItemCollection, all or none; assets stay at their URLs.
       *
       * Operation `stac.items.create`; scope `items:write`; effect `compute`.
       * @throws {@link NotFoundError}, {@link NotAMemberError}, {@link InvalidStateError}, {@link StacIdTakenError}, {@link QuotaStorageError}
       */
      create(input: InputOf<'stac.items.create'>, options?: CallOptions): Promise<OutputOf<'stac.items.create'>>
      /**
       * Soft-delete an item of a collection by its STAC id.
       *
       * Operation `stac.items.delete`; scope `items:write`; effect `destructive`.
       * @throws {@link NotFoundError}, {@link NotAMemberError}, {@link InvalidStateError}, {@link PreconditionFailedError}
       */
      delete(input: InputOf<'stac.items.delete'>, options?: CallOptions): Promise<OutputOf<'stac.items.delete'>>
      /**
       * Read an item of a collection by its STAC id.
       *
       * Operation `stac.items.get`; scope `items:read`; effect `read`.
       * @throws {@link NotFoundError}, {@link NotAMemberError}, {@link BudgetExceededError}
       */
      get(input: InputOf<'stac.items.get'>, options?: CallOptions): Promise<OutputOf<'stac.items.get'>>
      /**
       * Search the items of one collection, as the STAC API defines it.
       *
       * Operation `stac.items.list`; scope `items:read`; effect `read`.
       * @throws {@link ConflictingParametersError}, {@link UnsupportedFilterError}, {@link BudgetExceededError}, {@link NotFoundError}, {@link NotAMemberError}
       */
      list(input: InputOf<'stac.items.list'>, options?: CallOptions): PagedCall<OutputOf<'stac.items.list'>, OutputOf<'stac.items.list'>['features'][number]>
      /**
       * Replace the metadata of an item by a STAC Item; stored files are kept.
       *
       * Operation `stac.items.replace`; scope `items:write`; effect `compute`.
       * @throws {@link NotFoundError}, {@link NotAMemberError}, {@link InvalidStateError}, {@link GoneRetentionError}, {@link PreconditionFailedError}, {@link QuotaStorageError}
       */
      replace(input: InputOf<'stac.items.replace'>, options?: CallOptions): Promise<OutputOf<'stac.items.replace'>>
      /**
       * Search the items that the caller can see, as the STAC API defines it, with the query and fields extensions.
       *
       * Operation `stac.items.search`; scope `items:read`; effect `read`.
       * @throws {@link ConflictingParametersError}, {@link UnsupportedFilterError}, {@link BudgetExceededError}
       */
      search(input?: InputOf<'stac.items.search'>, options?: CallOptions): PagedCall<OutputOf<'stac.items.search'>, OutputOf<'stac.items.search'>['features'][number]>
      /**
       * Update an item by a JSON Merge Patch of its STAC Item.
       *
       * Operation `stac.items.update`; scope `items:write`; effect `compute`.
       * @throws {@link NotFoundError}, {@link NotAMemberError}, {@link InvalidStateError}, {@link GoneRetentionError}, {@link PreconditionFailedError}, {@link QuotaStorageError}
       */
      update(input: InputOf<'stac.items.update'>, options?: CallOptions): Promise<OutputOf<'stac.items.update'>>
    }
    /**
     * Read the landing page of the STAC API: classes, links and, for members, collections; public.
     *
     * Operation `stac.landing`; scope `items:read`; effect `read`.
     */
    landing(input?: InputOf<'stac.landing'>, options?: CallOptions): Promise<OutputOf<'stac.landing'>>
    /**
     * Read the queryables, which filters can use, as a JSON Schema; without a token those of every item.
     *
     * Operation `stac.queryables`; scope `items:read`; effect `read`.
     * @throws {@link NotFoundError}, {@link NotAMemberError}, {@link BudgetExceededError}
     */
    queryables(input?: InputOf<'stac.queryables'>, options?: CallOptions): Promise<OutputOf<'stac.queryables'>>
    /**
     * Search the items that the caller can see, with the STAC search of the platform.
     *
     * Operation `stac.search`; scope `items:read`; effect `read`.
     * @throws {@link ConflictingParametersError}, {@link UnsupportedFilterError}, {@link BudgetExceededError}
     */
    search(input?: InputOf<'stac.search'>, options?: CallOptions): PagedCall<OutputOf<'stac.search'>, OutputOf<'stac.search'>['features'][number]>
  }
  readonly uploads: {
    /**
     * Cancel an upload session: delete what was sent and release the reserved storage.
     *
     * Operation `uploads.cancel`; scope `uploads:write`; effect `destructive`.
     * @throws {@link NotFoundError}, {@link NotAMemberError}, {@link InvalidStateError}
     */
    cancel(input: InputOf<'uploads.cancel'>, options?: CallOptions): Promise<OutputOf<'uploads.cancel'>>
    /**
     * Verify the uploaded files and ingest them as items and assets.
     *
     * Operation `uploads.complete`; scope `uploads:write`; effect `compute`.
     * @throws {@link NotFoundError}, {@link NotAMemberError}, {@link InvalidStateError}, {@link QuotaStorageError}
     */
    complete(input: InputOf<'uploads.complete'>, options?: CallOptions): Promise<OutputOf<'uploads.complete'>>
    /**
     * Mark an upload session as failed and release the reserved storage.
     *
     * Operation `uploads.fail`; scope `uploads:write`; effect `compute`.
     * @throws {@link NotFoundError}, {@link NotAMemberError}, {@link InvalidStateError}
     */
    fail(input: InputOf<'uploads.fail'>, options?: CallOptions): Promise<OutputOf<'uploads.fail'>>
    /**
     * Read an upload session with the state of its files.
     *
     * Operation `uploads.get`; scope `uploads:write`; effect `read`.
     * @throws {@link NotFoundError}, {@link NotAMemberError}
     */
    get(input: InputOf<'uploads.get'>, options?: CallOptions): Promise<OutputOf<'uploads.get'>>
    /**
     * Create an upload session and reserve storage for it.
     *
     * Operation `uploads.initiate`; scope `uploads:write`; effect `compute`.
     * @throws {@link NotFoundError}, {@link NotAMemberError}, {@link InvalidStateError}, {@link GoneRetentionError}, {@link QuotaStorageError}, {@link QuotaExceededError}, {@link NameTakenError}
     */
    initiate(input: InputOf<'uploads.initiate'>, options?: CallOptions): Promise<OutputOf<'uploads.initiate'>>
    /**
     * List the upload sessions of a project, or of all projects that the caller can see.
     *
     * Operation `uploads.list`; scope `uploads:write`; effect `read`.
     * @throws {@link NotFoundError}, {@link NotAMemberError}
     */
    list(input?: InputOf<'uploads.list'>, options?: CallOptions): PagedCall<OutputOf<'uploads.list'>, OutputOf<'uploads.list'>['uploads'][number]>
    /**
     * Issue a signed URL for uploading one part of a file.
     *
     * Operation `uploads.part_url`; scope `uploads:write`; effect `compute`.
     * @throws {@link NotFoundError}, {@link NotAMemberError}, {@link InvalidStateError}
     */
    part_url(input: InputOf<'uploads.part_url'>, options?: CallOptions): Promise<OutputOf<'uploads.part_url'>>
    /**
     * Report the progress of an upload and read the session.
     *
     * Operation `uploads.progress`; scope `uploads:write`; effect `compute`.
     * @throws {@link NotFoundError}, {@link NotAMemberError}, {@link InvalidStateError}
     */
    progress(input: InputOf<'uploads.progress'>, options?: CallOptions): Promise<OutputOf<'uploads.progress'>>
    /**
     * Issue a signed URL for uploading one file.
     *
     * Operation `uploads.signed_url`; scope `uploads:write`; effect `compute`.
     * @throws {@link NotFoundError}, {@link NotAMemberError}, {@link InvalidStateError}
     */
    signed_url(input: InputOf<'uploads.signed_url'>, options?: CallOptions): Promise<OutputOf<'uploads.signed_url'>>
  }
  readonly usage: {
    /**
     * List the calls of the organization by operation, with their mean duration, the most called first.
     *
     * Operation `usage.by_operation`; scope `usage:read`; effect `read`.
     * @throws {@link NotFoundError}
     */
    by_operation(input: InputOf<'usage.by_operation'>, options?: CallOptions): PagedCall<OutputOf<'usage.by_operation'>, OutputOf<'usage.by_operation'>['operations'][number]>
    /**
     * Read the usage of the organization in the current month.
     *
     * Operation `usage.current`; scope `usage:read`; effect `read`.
     * @throws {@link NotFoundError}
     */
    current(input: InputOf<'usage.current'>, options?: CallOptions): Promise<OutputOf<'usage.current'>>
    /**
     * List the usage of the organization in each of the last months.
     *
     * Operation `usage.history`; scope `usage:read`; effect `read`.
     * @throws {@link NotFoundError}
     */
    history(input: InputOf<'usage.history'>, options?: CallOptions): Promise<OutputOf<'usage.history'>>
    /**
     * Recalculate the stored bytes of the organization.
     *
     * Operation `usage.recalculate_storage`; scope `usage:write`; effect `compute`.
     * @throws {@link NotFoundError}
     */
    recalculate_storage(input: InputOf<'usage.recalculate_storage'>, options?: CallOptions): Promise<OutputOf<'usage.recalculate_storage'>>
  }
  readonly users: {
    readonly consents: {
      /**
       * List what the caller has granted to programs, in all organizations.
       *
       * Operation `users.consents.list`; scope `consents:read`; effect `read`.
       */
      list(input?: InputOf<'users.consents.list'>, options?: CallOptions): Promise<OutputOf<'users.consents.list'>>
      /**
       * End what the caller has granted to a program, with its tokens.
       *
       * Operation `users.consents.revoke`; scope `consents:write`; effect `destructive`.
       * @throws {@link NotFoundError}
       */
      revoke(input: InputOf<'users.consents.revoke'>, options?: CallOptions): Promise<OutputOf<'users.consents.revoke'>>
    }
    /**
     * Delete the account of the caller for good, who leaves all organizations; always asks for the password.
     *
     * Operation `users.delete`; scope `users:write`; effect `destructive`.
     * @throws {@link ForbiddenError}, {@link InvalidStateError}
     */
    delete(input?: InputOf<'users.delete'>, options?: CallOptions): Promise<OutputOf<'users.delete'>>
    readonly email: {
      /**
       * Ask for another e-mail address of the caller; it counts once the link sent to it was opened.
       *
       * Operation `users.email.change`; scope `users:write`; effect `compute`.
       * @throws {@link ForbiddenError}, {@link InvalidStateError}
       */
      change(input: InputOf<'users.email.change'>, options?: CallOptions): Promise<OutputOf<'users.email.change'>>
    }
    /**
     * Read everything that is kept about the caller as one document.
     *
     * Operation `users.export`; scope `users:read`; effect `export`.
     * @throws {@link ForbiddenError}
     */
    export(input?: InputOf<'users.export'>, options?: CallOptions): Promise<OutputOf<'users.export'>>
    /**
     * Read the calling principal with its organization, role, scopes, spend limits and wallet.
     *
     * Operation `users.me`; scope of any token; effect `read`.
     */
    me(input?: InputOf<'users.me'>, options?: CallOptions): Promise<OutputOf<'users.me'>>
    readonly organizations: {
      /**
       * List the organizations that the caller is in; a token is for one of them.
       *
       * Operation `users.organizations.list`; scope of any token; effect `read`.
       */
      list(input?: InputOf<'users.organizations.list'>, options?: CallOptions): Promise<OutputOf<'users.organizations.list'>>
    }
    readonly passkeys: {
      /**
       * List the passkeys of the caller.
       *
       * Operation `users.passkeys.list`; scope `users:read`; effect `read`.
       * @throws {@link ForbiddenError}
       */
      list(input?: InputOf<'users.passkeys.list'>, options?: CallOptions): Promise<OutputOf<'users.passkeys.list'>>
      /**
       * Begin to register a passkey of the caller; needs a host name, which browsers bind passkeys to.
       *
       * Operation `users.passkeys.register_begin`; scope `users:write`; effect `compute`.
       * @throws {@link ForbiddenError}, {@link InvalidStateError}
       */
      register_begin(input?: InputOf<'users.passkeys.register_begin'>, options?: CallOptions): Promise<OutputOf<'users.passkeys.register_begin'>>
      /**
       * Register the passkey that the browser made for the options of register_begin.
       *
       * Operation `users.passkeys.register_finish`; scope `users:write`; effect `compute`.
       * @throws {@link ForbiddenError}, {@link InvalidStateError}
       */
      register_finish(input: InputOf<'users.passkeys.register_finish'>, options?: CallOptions): Promise<OutputOf<'users.passkeys.register_finish'>>
      /**
       * Remove a passkey of the caller, which nobody can sign in with any more.
       *
       * Operation `users.passkeys.remove`; scope `users:write`; effect `destructive`.
       * @throws {@link NotFoundError}, {@link ForbiddenError}, {@link InvalidStateError}
       */
      remove(input: InputOf<'users.passkeys.remove'>, options?: CallOptions): Promise<OutputOf<'users.passkeys.remove'>>
      /**
       * Rename a passkey of the caller.
       *
       * Operation `users.passkeys.rename`; scope `users:write`; effect `compute`.
       * @throws {@link NotFoundError}
       */
      rename(input: InputOf<'users.passkeys.rename'>, options?: CallOptions): Promise<OutputOf<'users.passkeys.rename'>>
    }
    readonly password: {
      /**
       * Replace the password of the caller; all other sessions of the caller end.
       *
       * Operation `users.password.change`; scope `users:write`; effect `compute`.
       * @throws {@link ForbiddenError}, {@link InvalidStateError}
       */
      change(input: InputOf<'users.password.change'>, options?: CallOptions): Promise<OutputOf<'users.password.change'>>
    }
    readonly recovery_codes: {
      /**
       * Replace the recovery codes of the caller; the former ones are not valid any more.
       *
       * Operation `users.recovery_codes.regenerate`; scope `users:write`; effect `compute`.
       * @throws {@link ForbiddenError}, {@link InvalidStateError}
       */
      regenerate(input?: InputOf<'users.recovery_codes.regenerate'>, options?: CallOptions): Promise<OutputOf<'users.recovery_codes.regenerate'>>
    }
    readonly sessions: {
      /**
       * End a session of the caller, with its tokens, or all but the one of this call.
       *
       * Operation `users.sessions.end`; scope `users:write`; effect `destructive`.
       * @throws {@link NotFoundError}
       */
      end(input: InputOf<'users.sessions.end'>, options?: CallOptions): Promise<OutputOf<'users.sessions.end'>>
      /**
       * List the sessions of the caller: browsers, and programs that have tokens.
       *
       * Operation `users.sessions.list`; scope `users:read`; effect `read`.
       * @throws {@link ForbiddenError}
       */
      list(input?: InputOf<'users.sessions.list'>, options?: CallOptions): Promise<OutputOf<'users.sessions.list'>>
    }
    readonly tokens: {
      /**
       * Create a personal access token for the organization of the caller; only this response contains it.
       *
       * Operation `users.tokens.create`; scope `personal_tokens:write`; effect `export`.
       * @throws {@link InvalidStateError}
       */
      create(input: InputOf<'users.tokens.create'>, options?: CallOptions): Promise<OutputOf<'users.tokens.create'>>
      /**
       * List the personal access tokens of the caller for its organization, newest first.
       *
       * Operation `users.tokens.list`; scope `personal_tokens:read`; effect `read`.
       */
      list(input?: InputOf<'users.tokens.list'>, options?: CallOptions): Promise<OutputOf<'users.tokens.list'>>
      /**
       * Revoke a personal access token of the caller immediately.
       *
       * Operation `users.tokens.revoke`; scope `personal_tokens:write`; effect `destructive`.
       * @throws {@link NotFoundError}
       */
      revoke(input: InputOf<'users.tokens.revoke'>, options?: CallOptions): Promise<OutputOf<'users.tokens.revoke'>>
    }
    readonly totp: {
      /**
       * Begin to set up an authenticator app (RFC 6238) as a second factor of the caller.
       *
       * Operation `users.totp.begin`; scope `users:write`; effect `compute`.
       * @throws {@link ForbiddenError}, {@link InvalidStateError}
       */
      begin(input?: InputOf<'users.totp.begin'>, options?: CallOptions): Promise<OutputOf<'users.totp.begin'>>
      /**
       * Turn the authenticator app on with a code of it; from then on signing in with the password needs one.
       *
       * Operation `users.totp.confirm`; scope `users:write`; effect `compute`.
       * @throws {@link ForbiddenError}, {@link InvalidStateError}
       */
      confirm(input: InputOf<'users.totp.confirm'>, options?: CallOptions): Promise<OutputOf<'users.totp.confirm'>>
      /**
       * Turn the authenticator app of the caller off.
       *
       * Operation `users.totp.remove`; scope `users:write`; effect `destructive`.
       * @throws {@link ForbiddenError}, {@link InvalidStateError}
       */
      remove(input?: InputOf<'users.totp.remove'>, options?: CallOptions): Promise<OutputOf<'users.totp.remove'>>
    }
    /**
     * Change the name of the caller, and the language and time zone of e-mails about the account.
     *
     * Operation `users.update`; scope `users:write`; effect `compute`.
     * @throws {@link ForbiddenError}
     */
    update(input?: InputOf<'users.update'>, options?: CallOptions): Promise<OutputOf<'users.update'>>
  }
  readonly visualization: {
    /**
     * List the visualizations that are possible with bands of given roles.
     *
     * Operation `visualization.list_for`; scope `tiles:read`; effect `read`.
     */
    list_for(input?: InputOf<'visualization.list_for'>, options?: CallOptions): Promise<OutputOf<'visualization.list_for'>>
    readonly profile: {
      /**
       * Create a visualization profile of an item.
       *
       * Operation `visualization.profile.create`; scope `items:write`; effect `compute`.
       * @throws {@link NotFoundError}, {@link NotAMemberError}, {@link GoneRetentionError}, {@link InvalidStateError}, {@link NameTakenError}
       */
      create(input: InputOf<'visualization.profile.create'>, options?: CallOptions): Promise<OutputOf<'visualization.profile.create'>>
      /**
       * Delete a visualization profile; if it was the default, the next one becomes the default.
       *
       * Operation `visualization.profile.delete`; scope `items:write`; effect `destructive`.
       * @throws {@link NotFoundError}, {@link NotAMemberError}, {@link GoneRetentionError}, {@link InvalidStateError}
       */
      delete(input: InputOf<'visualization.profile.delete'>, options?: CallOptions): Promise<OutputOf<'visualization.profile.delete'>>
      /**
       * Read a visualization profile of an item.
       *
       * Operation `visualization.profile.get`; scope `items:read`; effect `read`.
       * @throws {@link NotFoundError}, {@link NotAMemberError}, {@link GoneRetentionError}
       */
      get(input: InputOf<'visualization.profile.get'>, options?: CallOptions): Promise<OutputOf<'visualization.profile.get'>>
      /**
       * Set the default visualization profile of an item.
       *
       * Operation `visualization.profile.set_default`; scope `items:write`; effect `compute`.
       * @throws {@link NotFoundError}, {@link NotAMemberError}, {@link GoneRetentionError}, {@link InvalidStateError}
       */
      set_default(input: InputOf<'visualization.profile.set_default'>, options?: CallOptions): Promise<OutputOf<'visualization.profile.set_default'>>
      /**
       * Update a visualization profile and increment its version.
       *
       * Operation `visualization.profile.update`; scope `items:write`; effect `compute`.
       * @throws {@link NotFoundError}, {@link NotAMemberError}, {@link GoneRetentionError}, {@link InvalidStateError}, {@link NameTakenError}
       */
      update(input: InputOf<'visualization.profile.update'>, options?: CallOptions): Promise<OutputOf<'visualization.profile.update'>>
    }
    readonly profiles: {
      /**
       * List the visualization profiles of an item in sort order.
       *
       * Operation `visualization.profiles.list`; scope `items:read`; effect `read`.
       * @throws {@link NotFoundError}, {@link NotAMemberError}, {@link GoneRetentionError}
       */
      list(input: InputOf<'visualization.profiles.list'>, options?: CallOptions): Promise<OutputOf<'visualization.profiles.list'>>
    }
  }
  readonly webhooks: {
    /**
     * Subscribe a URL to the orders or jobs of a workspace; only this response contains the signing secret.
     *
     * Operation `webhooks.create`; scope `event_subscriptions:write`; effect `compute`.
     * @throws {@link NotFoundError}, {@link NotAMemberError}, {@link QuotaExceededError}
     */
    create(input: InputOf<'webhooks.create'>, options?: CallOptions): Promise<OutputOf<'webhooks.create'>>
    /**
     * Delete a webhook of a workspace; pending deliveries are dropped.
     *
     * Operation `webhooks.delete`; scope `event_subscriptions:write`; effect `destructive`.
     * @throws {@link NotFoundError}, {@link NotAMemberError}
     */
    delete(input: InputOf<'webhooks.delete'>, options?: CallOptions): Promise<OutputOf<'webhooks.delete'>>
    /**
     * Send the webhook deliveries that are due.
     *
     * Operation `webhooks.drain`; scope `admin:write`; effect `compute`.
     */
    drain(input?: InputOf<'webhooks.drain'>, options?: CallOptions): Promise<OutputOf<'webhooks.drain'>>
    readonly events: {
      /**
       * List the events that the webhooks of a workspace may name.
       *
       * Operation `webhooks.events.list`; scope `event_subscriptions:read`; effect `read`.
       */
      list(input?: InputOf<'webhooks.events.list'>, options?: CallOptions): Promise<OutputOf<'webhooks.events.list'>>
    }
    /**
     * Read a webhook of a workspace.
     *
     * Operation `webhooks.get`; scope `event_subscriptions:read`; effect `read`.
     * @throws {@link NotFoundError}, {@link NotAMemberError}
     */
    get(input: InputOf<'webhooks.get'>, options?: CallOptions): Promise<OutputOf<'webhooks.get'>>
    /**
     * List the webhooks of a workspace, newest first.
     *
     * Operation `webhooks.list`; scope `event_subscriptions:read`; effect `read`.
     * @throws {@link NotFoundError}, {@link NotAMemberError}
     */
    list(input: InputOf<'webhooks.list'>, options?: CallOptions): Promise<OutputOf<'webhooks.list'>>
    /**
     * Send a signed test of each event of a webhook immediately, even if it is paused.
     *
     * Operation `webhooks.test`; scope `event_subscriptions:write`; effect `compute`.
     * @throws {@link NotFoundError}, {@link NotAMemberError}
     */
    test(input: InputOf<'webhooks.test'>, options?: CallOptions): Promise<OutputOf<'webhooks.test'>>
    /**
     * Replace a webhook of a workspace; events that are not named any more are not sent any more.
     *
     * Operation `webhooks.update`; scope `event_subscriptions:write`; effect `compute`.
     * @throws {@link NotFoundError}, {@link NotAMemberError}, {@link QuotaExceededError}
     */
    update(input: InputOf<'webhooks.update'>, options?: CallOptions): Promise<OutputOf<'webhooks.update'>>
  }
}

/** Spends whose price was held by a call before: they have no `max_credits`. */
export const spendsWithoutPrice: readonly string[] = [
  'processing.dispatch',
  'processing.job.register',
]
