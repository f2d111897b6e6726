// Printed from the names of the operation files by `npm run generate`. Do not edit.
import type { OperationHandler } from '../engine/handler.ts'
import { handler as adminAuditList } from './admin/operations/admin.audit.list.ts'
import { handler as adminCommitmentsAmend } from './admin/operations/admin.commitments.amend.ts'
import { handler as adminCommitmentsClosePeriod } from './admin/operations/admin.commitments.close_period.ts'
import { handler as adminCommitmentsCreate } from './admin/operations/admin.commitments.create.ts'
import { handler as adminCreditAdjustmentsApprove } from './admin/operations/admin.credit_adjustments.approve.ts'
import { handler as adminCreditAdjustmentsList } from './admin/operations/admin.credit_adjustments.list.ts'
import { handler as adminCreditAdjustmentsReject } from './admin/operations/admin.credit_adjustments.reject.ts'
import { handler as adminCreditAdjustmentsRequest } from './admin/operations/admin.credit_adjustments.request.ts'
import { handler as adminDataProductsList } from './admin/operations/admin.data_products.list.ts'
import { handler as adminDataProductsVersionsApprove } from './admin/operations/admin.data_products.versions.approve.ts'
import { handler as adminDataProductsVersionsCreate } from './admin/operations/admin.data_products.versions.create.ts'
import { handler as adminDataProductsVersionsList } from './admin/operations/admin.data_products.versions.list.ts'
import { handler as adminDataProductsVersionsReject } from './admin/operations/admin.data_products.versions.reject.ts'
import { handler as adminDeadLettersList } from './admin/operations/admin.dead_letters.list.ts'
import { handler as adminDeadLettersRetry } from './admin/operations/admin.dead_letters.retry.ts'
import { handler as adminFeatureFlagsList } from './admin/operations/admin.feature_flags.list.ts'
import { handler as adminFeatureFlagsSet } from './admin/operations/admin.feature_flags.set.ts'
import { handler as adminInvoicesCredit } from './admin/operations/admin.invoices.credit.ts'
import { handler as adminInvoicesMarkPaid } from './admin/operations/admin.invoices.mark_paid.ts'
import { handler as adminOrgsCreditAdjust } from './admin/operations/admin.orgs.credit_adjust.ts'
import { handler as adminOrgsGet } from './admin/operations/admin.orgs.get.ts'
import { handler as adminOrgsList } from './admin/operations/admin.orgs.list.ts'
import { handler as adminOrgsResume } from './admin/operations/admin.orgs.resume.ts'
import { handler as adminOrgsSetPlan } from './admin/operations/admin.orgs.set_plan.ts'
import { handler as adminOrgsSuspend } from './admin/operations/admin.orgs.suspend.ts'
import { handler as adminRateCardsApprove } from './admin/operations/admin.rate_cards.approve.ts'
import { handler as adminRateCardsCreate } from './admin/operations/admin.rate_cards.create.ts'
import { handler as adminRateCardsList } from './admin/operations/admin.rate_cards.list.ts'
import { handler as adminRateCardsReject } from './admin/operations/admin.rate_cards.reject.ts'
import { handler as adminRoleChangesApprove } from './admin/operations/admin.role_changes.approve.ts'
import { handler as adminRoleChangesList } from './admin/operations/admin.role_changes.list.ts'
import { handler as adminRoleChangesReject } from './admin/operations/admin.role_changes.reject.ts'
import { handler as adminStuckWorkCancel } from './admin/operations/admin.stuck_work.cancel.ts'
import { handler as adminStuckWorkList } from './admin/operations/admin.stuck_work.list.ts'
import { handler as adminStuckWorkRelease } from './admin/operations/admin.stuck_work.release.ts'
import { handler as adminStuckWorkRetry } from './admin/operations/admin.stuck_work.retry.ts'
import { handler as adminSupportAccessEnd } from './admin/operations/admin.support_access.end.ts'
import { handler as adminSupportAccessList } from './admin/operations/admin.support_access.list.ts'
import { handler as adminSupportAccessRequest } from './admin/operations/admin.support_access.request.ts'
import { handler as adminTaskingOrderTransition } from './admin/operations/admin.tasking.order_transition.ts'
import { handler as adminTaskingQuotationUpload } from './admin/operations/admin.tasking.quotation_upload.ts'
import { handler as adminTaskingStudyUpload } from './admin/operations/admin.tasking.study_upload.ts'
import { handler as adminUsersDisable } from './admin/operations/admin.users.disable.ts'
import { handler as adminUsersEnable } from './admin/operations/admin.users.enable.ts'
import { handler as adminUsersImpersonate } from './admin/operations/admin.users.impersonate.ts'
import { handler as adminUsersList } from './admin/operations/admin.users.list.ts'
import { handler as adminUsersResetSecondFactor } from './admin/operations/admin.users.reset_second_factor.ts'
import { handler as adminUsersSetRoles } from './admin/operations/admin.users.set_roles.ts'
import { handler as alertsAcknowledgeEvent } from './alerts/operations/alerts.acknowledge_event.ts'
import { handler as alertsBacktestRule } from './alerts/operations/alerts.backtest_rule.ts'
import { handler as alertsCreateRule } from './alerts/operations/alerts.create_rule.ts'
import { handler as alertsDeleteRule } from './alerts/operations/alerts.delete_rule.ts'
import { handler as alertsEventsList } from './alerts/operations/alerts.events.list.ts'
import { handler as alertsRuleGet } from './alerts/operations/alerts.rule.get.ts'
import { handler as alertsRulesList } from './alerts/operations/alerts.rules.list.ts'
import { handler as alertsTestRule } from './alerts/operations/alerts.test_rule.ts'
import { handler as alertsUpdateRule } from './alerts/operations/alerts.update_rule.ts'
import { handler as analyticsBandMath } from './analytics/operations/analytics.band_math.ts'
import { handler as analyticsCalculateIndex } from './analytics/operations/analytics.calculate_index.ts'
import { handler as analyticsExecute } from './analytics/operations/analytics.execute.ts'
import { handler as analyticsIndexGet } from './analytics/operations/analytics.index.get.ts'
import { handler as analyticsIndicesList } from './analytics/operations/analytics.indices.list.ts'
import { handler as analyticsOperationsGet } from './analytics/operations/analytics.operations.get.ts'
import { handler as analyticsOperationsList } from './analytics/operations/analytics.operations.list.ts'
import { handler as analyticsSensorsList } from './analytics/operations/analytics.sensors.list.ts'
import { handler as analyticsValidateFormula } from './analytics/operations/analytics.validate_formula.ts'
import { handler as apiKeysCreate } from './api_keys/operations/api_keys.create.ts'
import { handler as apiKeysList } from './api_keys/operations/api_keys.list.ts'
import { handler as apiKeysRevoke } from './api_keys/operations/api_keys.revoke.ts'
import { handler as assetsCreate } from './assets/operations/assets.create.ts'
import { handler as assetsDelete } from './assets/operations/assets.delete.ts'
import { handler as assetsGet } from './assets/operations/assets.get.ts'
import { handler as assetsVerify } from './assets/operations/assets.verify.ts'
import { handler as bandFormulasCreate } from './band_formulas/operations/band_formulas.create.ts'
import { handler as bandFormulasDelete } from './band_formulas/operations/band_formulas.delete.ts'
import { handler as bandFormulasGet } from './band_formulas/operations/band_formulas.get.ts'
import { handler as bandFormulasList } from './band_formulas/operations/band_formulas.list.ts'
import { handler as bandFormulasUpdate } from './band_formulas/operations/band_formulas.update.ts'
import { handler as billingApprovalsApprove } from './billing/operations/billing.approvals.approve.ts'
import { handler as billingApprovalsGet } from './billing/operations/billing.approvals.get.ts'
import { handler as billingApprovalsList } from './billing/operations/billing.approvals.list.ts'
import { handler as billingApprovalsReject } from './billing/operations/billing.approvals.reject.ts'
import { handler as billingApprovalsRequest } from './billing/operations/billing.approvals.request.ts'
import { handler as billingAutoTopupGet } from './billing/operations/billing.auto_topup.get.ts'
import { handler as billingBudgetsGet } from './billing/operations/billing.budgets.get.ts'
import { handler as billingBudgetsList } from './billing/operations/billing.budgets.list.ts'
import { handler as billingBudgetsSettings } from './billing/operations/billing.budgets.settings.ts'
import { handler as billingBudgetsUsage } from './billing/operations/billing.budgets.usage.ts'
import { handler as billingChargeExplain } from './billing/operations/billing.charge.explain.ts'
import { handler as billingCleanupDeletedOrgs } from './billing/operations/billing.cleanup_deleted_orgs.ts'
import { handler as billingCreditsBalance } from './billing/operations/billing.credits.balance.ts'
import { handler as billingCreditsTransactions } from './billing/operations/billing.credits.transactions.ts'
import { handler as billingDeletionsPending } from './billing/operations/billing.deletions.pending.ts'
import { handler as billingDlqListPending } from './billing/operations/billing.dlq.list_pending.ts'
import { handler as billingDlqReplay } from './billing/operations/billing.dlq.replay.ts'
import { handler as billingEnterpriseAccrual } from './billing/operations/billing.enterprise.accrual.ts'
import { handler as billingEnterpriseMarkInvoiced } from './billing/operations/billing.enterprise.mark_invoiced.ts'
import { handler as billingForecast } from './billing/operations/billing.forecast.ts'
import { handler as billingFreeTierApprove } from './billing/operations/billing.free_tier.approve.ts'
import { handler as billingFreeTierGrantAll } from './billing/operations/billing.free_tier.grant_all.ts'
import { handler as billingFreeTierListPending } from './billing/operations/billing.free_tier.list_pending.ts'
import { handler as billingFreeTierRevoke } from './billing/operations/billing.free_tier.revoke.ts'
import { handler as billingInvoicesDownload } from './billing/operations/billing.invoices.download.ts'
import { handler as billingInvoicesGet } from './billing/operations/billing.invoices.get.ts'
import { handler as billingInvoicesList } from './billing/operations/billing.invoices.list.ts'
import { handler as billingJobsSettleUnsettled } from './billing/operations/billing.jobs.settle_unsettled.ts'
import { handler as billingLedgerExport } from './billing/operations/billing.ledger.export.ts'
import { handler as billingLedgerVerify } from './billing/operations/billing.ledger.verify.ts'
import { handler as billingLotsList } from './billing/operations/billing.lots.list.ts'
import { handler as billingPlansList } from './billing/operations/billing.plans.list.ts'
import { handler as billingReconciliationBackfillMissing } from './billing/operations/billing.reconciliation.backfill_missing.ts'
import { handler as billingReconciliationCorrectDrift } from './billing/operations/billing.reconciliation.correct_drift.ts'
import { handler as billingReconciliationDetectDrift } from './billing/operations/billing.reconciliation.detect_drift.ts'
import { handler as billingReconciliationListCorrections } from './billing/operations/billing.reconciliation.list_corrections.ts'
import { handler as billingReconciliationListRuns } from './billing/operations/billing.reconciliation.list_runs.ts'
import { handler as billingReconciliationRemoveStale } from './billing/operations/billing.reconciliation.remove_stale.ts'
import { handler as billingReconciliationRun } from './billing/operations/billing.reconciliation.run.ts'
import { handler as billingReconciliationRunAll } from './billing/operations/billing.reconciliation.run_all.ts'
import { handler as billingReconciliationZeroNegativeNets } from './billing/operations/billing.reconciliation.zero_negative_nets.ts'
import { handler as billingRefundsRequest } from './billing/operations/billing.refunds.request.ts'
import { handler as billingRunMonthlyCron } from './billing/operations/billing.run_monthly_cron.ts'
import { handler as billingRunMonthlyForOrg } from './billing/operations/billing.run_monthly_for_org.ts'
import { handler as billingSetAutoTopup } from './billing/operations/billing.set_auto_topup.ts'
import { handler as billingSetDailyTopupLimit } from './billing/operations/billing.set_daily_topup_limit.ts'
import { handler as billingStatusGet } from './billing/operations/billing.status.get.ts'
import { handler as billingStripeInvoicesList } from './billing/operations/billing.stripe_invoices.list.ts'
import { handler as billingTopup } from './billing/operations/billing.topup.ts'
import { handler as catalogAoiScore } from './catalog/operations/catalog.aoi_score.ts'
import { handler as catalogComparePrices } from './catalog/operations/catalog.compare_prices.ts'
import { handler as catalogFederatedSearch } from './catalog/operations/catalog.federated_search.ts'
import { handler as catalogGranulePoints } from './catalog/operations/catalog.granule_points.ts'
import { handler as catalogImageQuicklook } from './catalog/operations/catalog.image.quicklook.ts'
import { handler as catalogImageThumbnail } from './catalog/operations/catalog.image.thumbnail.ts'
import { handler as catalogInfoLandsat } from './catalog/operations/catalog.info.landsat.ts'
import { handler as catalogInfoNaip } from './catalog/operations/catalog.info.naip.ts'
import { handler as catalogInfoSample } from './catalog/operations/catalog.info.sample.ts'
import { handler as catalogInfoSentinel } from './catalog/operations/catalog.info.sentinel.ts'
import { handler as catalogPlacesSearch } from './catalog/operations/catalog.places.search.ts'
import { handler as catalogProviderSamples } from './catalog/operations/catalog.provider.samples.ts'
import { handler as catalogProvidersList } from './catalog/operations/catalog.providers.list.ts'
import { handler as catalogSearch } from './catalog/operations/catalog.search.ts'
import { handler as catalogSearchDelete } from './catalog/operations/catalog.search.delete.ts'
import { handler as catalogSearchList } from './catalog/operations/catalog.search.list.ts'
import { handler as catalogSearchSave } from './catalog/operations/catalog.search.save.ts'
import { handler as catalogSearchStream } from './catalog/operations/catalog.search_stream.ts'
import { handler as catalogSourcesList } from './catalog/operations/catalog.sources.list.ts'
import { handler as catalogStacCollectionsGet } from './catalog/operations/catalog.stac.collections.get.ts'
import { handler as catalogStacCollectionsList } from './catalog/operations/catalog.stac.collections.list.ts'
import { handler as catalogStacLanding } from './catalog/operations/catalog.stac.landing.ts'
import { handler as catalogStacSearch } from './catalog/operations/catalog.stac.search.ts'
import { handler as catalogTileRender } from './catalog/operations/catalog.tile.render.ts'
import { handler as catalogVendorsList } from './catalog/operations/catalog.vendors.list.ts'
import { handler as catalogVizLandsat } from './catalog/operations/catalog.viz.landsat.ts'
import { handler as catalogVizNaip } from './catalog/operations/catalog.viz.naip.ts'
import { handler as clipAreaMetadata } from './clip/operations/clip.area.metadata.ts'
import { handler as clipAreaMosaics } from './clip/operations/clip.area.mosaics.ts'
import { handler as clipAreasList } from './clip/operations/clip.areas.list.ts'
import { handler as clipCreateFromArea } from './clip/operations/clip.create_from_area.ts'
import { handler as clipCreateFromItem } from './clip/operations/clip.create_from_item.ts'
import { handler as clipJobDelete } from './clip/operations/clip.job.delete.ts'
import { handler as clipJobDownload } from './clip/operations/clip.job.download.ts'
import { handler as clipJobDownloads } from './clip/operations/clip.job.downloads.ts'
import { handler as clipJobGet } from './clip/operations/clip.job.get.ts'
import { handler as clipJobTileInfo } from './clip/operations/clip.job.tile_info.ts'
import { handler as clipJobsList } from './clip/operations/clip.jobs.list.ts'
import { handler as cogColormaps } from './tiles/operations/cog.colormaps.ts'
import { handler as cogFormulas } from './tiles/operations/cog.formulas.ts'
import { handler as cogStatistics } from './tiles/operations/cog.statistics.ts'
import { handler as cogThumbnail } from './tiles/operations/cog.thumbnail.ts'
import { handler as cogTileRender } from './tiles/operations/cog.tile.render.ts'
import { handler as cogTileTerrain } from './tiles/operations/cog.tile.terrain.ts'
import { handler as collectionsCreate } from './collections/operations/collections.create.ts'
import { handler as collectionsDelete } from './collections/operations/collections.delete.ts'
import { handler as collectionsGet } from './collections/operations/collections.get.ts'
import { handler as collectionsList } from './collections/operations/collections.list.ts'
import { handler as collectionsRestore } from './collections/operations/collections.restore.ts'
import { handler as collectionsUpdate } from './collections/operations/collections.update.ts'
import { handler as eulasAcceptancesList } from './eulas/operations/eulas.acceptances.list.ts'
import { handler as eulasDocumentAccept } from './eulas/operations/eulas.document.accept.ts'
import { handler as eulasDocumentGet } from './eulas/operations/eulas.document.get.ts'
import { handler as eulasDocumentsList } from './eulas/operations/eulas.documents.list.ts'
import { handler as eulasGet } from './eulas/operations/eulas.get.ts'
import { handler as eulasList } from './eulas/operations/eulas.list.ts'
import { handler as eventSubscriptionsCreate } from './event_subscriptions/operations/event_subscriptions.create.ts'
import { handler as eventSubscriptionsCreateMany } from './event_subscriptions/operations/event_subscriptions.create_many.ts'
import { handler as eventSubscriptionsDelete } from './event_subscriptions/operations/event_subscriptions.delete.ts'
import { handler as eventSubscriptionsDeliveriesGet } from './event_subscriptions/operations/event_subscriptions.deliveries.get.ts'
import { handler as eventSubscriptionsDeliveriesList } from './event_subscriptions/operations/event_subscriptions.deliveries.list.ts'
import { handler as eventSubscriptionsDeliveriesRedeliver } from './event_subscriptions/operations/event_subscriptions.deliveries.redeliver.ts'
import { handler as eventSubscriptionsDeliveriesReplayWindow } from './event_subscriptions/operations/event_subscriptions.deliveries.replay_window.ts'
import { handler as eventSubscriptionsGet } from './event_subscriptions/operations/event_subscriptions.get.ts'
import { handler as eventSubscriptionsList } from './event_subscriptions/operations/event_subscriptions.list.ts'
import { handler as eventSubscriptionsRotateSecret } from './event_subscriptions/operations/event_subscriptions.rotate_secret.ts'
import { handler as eventSubscriptionsTest } from './event_subscriptions/operations/event_subscriptions.test.operation.ts'
import { handler as eventSubscriptionsUpdate } from './event_subscriptions/operations/event_subscriptions.update.ts'
import { handler as eventTypesList } from './events/operations/event_types.list.ts'
import { handler as eventsList } from './events/operations/events.list.ts'
import { handler as eventsStream } from './events/operations/events.stream.ts'
import { handler as glossaryCollectionsGet } from './glossary/operations/glossary.collections.get.ts'
import { handler as glossaryCollectionsList } from './glossary/operations/glossary.collections.list.ts'
import { handler as glossaryDataProductsGet } from './glossary/operations/glossary.data_products.get.ts'
import { handler as glossaryDataProductsList } from './glossary/operations/glossary.data_products.list.ts'
import { handler as glossaryProvidersGet } from './glossary/operations/glossary.providers.get.ts'
import { handler as glossaryProvidersList } from './glossary/operations/glossary.providers.list.ts'
import { handler as itemsAssetDownload } from './items/operations/items.asset.download.ts'
import { handler as itemsBatchCreate } from './items/operations/items.batch_create.ts'
import { handler as itemsBatchDelete } from './items/operations/items.batch_delete.ts'
import { handler as itemsBundlesDownload } from './items/operations/items.bundles.download.ts'
import { handler as itemsBundlesGet } from './items/operations/items.bundles.get.ts'
import { handler as itemsBundlesList } from './items/operations/items.bundles.list.ts'
import { handler as itemsBundlesUpdate } from './items/operations/items.bundles.update.ts'
import { handler as itemsCreate } from './items/operations/items.create.ts'
import { handler as itemsDelete } from './items/operations/items.delete.ts'
import { handler as itemsDetectAssetBands } from './items/operations/items.detect_asset_bands.ts'
import { handler as itemsDownload } from './items/operations/items.download.ts'
import { handler as itemsDuplicate } from './items/operations/items.duplicate.ts'
import { handler as itemsExpireBatch } from './items/operations/items.expire_batch.ts'
import { handler as itemsFeaturesList } from './items/operations/items.features.list.ts'
import { handler as itemsGet } from './items/operations/items.get.ts'
import { handler as itemsGetStac } from './items/operations/items.get_stac.ts'
import { handler as itemsLineage } from './items/operations/items.lineage.ts'
import { handler as itemsList } from './items/operations/items.list.ts'
import { handler as itemsListAssets } from './items/operations/items.list_assets.ts'
import { handler as itemsListByCollection } from './items/operations/items.list_by_collection.ts'
import { handler as itemsListExpiring } from './items/operations/items.list_expiring.ts'
import { handler as itemsRestore } from './items/operations/items.restore.ts'
import { handler as itemsSearch } from './items/operations/items.search.ts'
import { handler as itemsSearchOrg } from './items/operations/items.search_org.ts'
import { handler as itemsSetAssetBandNames } from './items/operations/items.set_asset_band_names.ts'
import { handler as itemsTileHistogram } from './tiles/operations/items.tile.histogram.ts'
import { handler as itemsTileLine } from './tiles/operations/items.tile.line.ts'
import { handler as itemsTilePoint } from './tiles/operations/items.tile.point.ts'
import { handler as itemsTilePreview } from './tiles/operations/items.tile.preview.ts'
import { handler as itemsTileRender } from './tiles/operations/items.tile.render.ts'
import { handler as itemsTileStatistics } from './tiles/operations/items.tile.statistics.ts'
import { handler as itemsTileTilejson } from './tiles/operations/items.tile.tilejson.ts'
import { handler as itemsTileTokenCreate } from './tiles/operations/items.tile.token.create.ts'
import { handler as itemsTileTokenList } from './tiles/operations/items.tile.token.list.ts'
import { handler as itemsTileTokenRevoke } from './tiles/operations/items.tile.token.revoke.ts'
import { handler as itemsTileVector } from './tiles/operations/items.tile.vector.ts'
import { handler as itemsTileWmtsCapabilities } from './tiles/operations/items.tile.wmts_capabilities.ts'
import { handler as itemsTileWmtsGetTile } from './tiles/operations/items.tile.wmts_get_tile.ts'
import { handler as itemsUpdate } from './items/operations/items.update.ts'
import { handler as notificationsDismiss } from './notifications/operations/notifications.dismiss.ts'
import { handler as notificationsList } from './notifications/operations/notifications.list.ts'
import { handler as notificationsMarkAllRead } from './notifications/operations/notifications.mark_all_read.ts'
import { handler as notificationsMarkRead } from './notifications/operations/notifications.mark_read.ts'
import { handler as notificationsPreferencesGet } from './notifications/operations/notifications.preferences.get.ts'
import { handler as notificationsPreferencesSet } from './notifications/operations/notifications.preferences.set.ts'
import { handler as notificationsUnreadCount } from './notifications/operations/notifications.unread_count.ts'
import { handler as oauthClientsCreate } from './oauth_clients/operations/oauth_clients.create.ts'
import { handler as oauthClientsDelete } from './oauth_clients/operations/oauth_clients.delete.ts'
import { handler as oauthClientsGet } from './oauth_clients/operations/oauth_clients.get.ts'
import { handler as oauthClientsList } from './oauth_clients/operations/oauth_clients.list.ts'
import { handler as oauthClientsRotateSecret } from './oauth_clients/operations/oauth_clients.rotate_secret.ts'
import { handler as oauthClientsUpdate } from './oauth_clients/operations/oauth_clients.update.ts'
import { handler as ordersArchiveEstimate } from './orders/operations/orders.archive.estimate.ts'
import { handler as ordersArchivePlace } from './orders/operations/orders.archive.place.ts'
import { handler as ordersCancel } from './orders/operations/orders.cancel.ts'
import { handler as ordersCoverageGet } from './orders/operations/orders.coverage.get.ts'
import { handler as ordersCoverageGroupsList } from './orders/operations/orders.coverage.groups.list.ts'
import { handler as ordersDownload } from './orders/operations/orders.download.ts'
import { handler as ordersEstimate } from './orders/operations/orders.estimate.ts'
import { handler as ordersGet } from './orders/operations/orders.get.ts'
import { handler as ordersGetSchema } from './orders/operations/orders.get_schema.ts'
import { handler as ordersList } from './orders/operations/orders.list.ts'
import { handler as ordersListAssets } from './orders/operations/orders.list_assets.ts'
import { handler as ordersPlace } from './orders/operations/orders.place.ts'
import { handler as ordersQuote } from './orders/operations/orders.quote.ts'
import { handler as ordersReorder } from './orders/operations/orders.reorder.ts'
import { handler as ordersStandingCreate } from './orders/operations/orders.standing.create.ts'
import { handler as ordersStandingDecide } from './orders/operations/orders.standing.decide.ts'
import { handler as ordersStandingDelete } from './orders/operations/orders.standing.delete.ts'
import { handler as ordersStandingList } from './orders/operations/orders.standing.list.ts'
import { handler as ordersStandingScenesList } from './orders/operations/orders.standing.scenes.list.ts'
import { handler as ordersStandingUpdate } from './orders/operations/orders.standing.update.ts'
import { handler as ordersTaskingDecisionsPending } from './orders/operations/orders.tasking.decisions.pending.ts'
import { handler as ordersTaskingEstimate } from './orders/operations/orders.tasking.estimate.ts'
import { handler as ordersTaskingFeasibilityCheck } from './orders/operations/orders.tasking.feasibility_check.ts'
import { handler as ordersTaskingFeasibilityDecide } from './orders/operations/orders.tasking.feasibility_decide.ts'
import { handler as ordersTaskingFeasibilityStudiesList } from './orders/operations/orders.tasking.feasibility_studies.list.ts'
import { handler as ordersTaskingGroupsList } from './orders/operations/orders.tasking.groups.list.ts'
import { handler as ordersTaskingOpportunitiesList } from './orders/operations/orders.tasking.opportunities_list.ts'
import { handler as ordersTaskingPlace } from './orders/operations/orders.tasking.place.ts'
import { handler as ordersTaskingQuotationDecide } from './orders/operations/orders.tasking.quotation_decide.ts'
import { handler as ordersTaskingQuotationsList } from './orders/operations/orders.tasking.quotations.list.ts'
import { handler as ordersTaskingSensors } from './orders/operations/orders.tasking.sensors.ts'
import { handler as ordersTaskingTemplatesDelete } from './orders/operations/orders.tasking.templates.delete.ts'
import { handler as ordersTaskingTemplatesGet } from './orders/operations/orders.tasking.templates.get.ts'
import { handler as ordersTaskingTemplatesList } from './orders/operations/orders.tasking.templates.list.ts'
import { handler as ordersTaskingTemplatesSave } from './orders/operations/orders.tasking.templates.save.ts'
import { handler as ordersTimeline } from './orders/operations/orders.timeline.ts'
import { handler as ordersUpdate } from './orders/operations/orders.update.ts'
import { handler as organizationsAuditExport } from './organizations/operations/organizations.audit.export.ts'
import { handler as organizationsAuditList } from './organizations/operations/organizations.audit.list.ts'
import { handler as organizationsAuditVerify } from './organizations/operations/organizations.audit.verify.ts'
import { handler as organizationsCommitmentsList } from './organizations/operations/organizations.commitments.list.ts'
import { handler as organizationsCommitmentsStatement } from './organizations/operations/organizations.commitments.statement.ts'
import { handler as organizationsCreate } from './organizations/operations/organizations.create.ts'
import { handler as organizationsDelegationsList } from './organizations/operations/organizations.delegations.list.ts'
import { handler as organizationsDelegationsTakeOver } from './organizations/operations/organizations.delegations.take_over.ts'
import { handler as organizationsDelete } from './organizations/operations/organizations.delete.ts'
import { handler as organizationsDomainsAdd } from './organizations/operations/organizations.domains.add.ts'
import { handler as organizationsDomainsList } from './organizations/operations/organizations.domains.list.ts'
import { handler as organizationsDomainsRemove } from './organizations/operations/organizations.domains.remove.ts'
import { handler as organizationsDomainsVerify } from './organizations/operations/organizations.domains.verify.ts'
import { handler as organizationsGet } from './organizations/operations/organizations.get.ts'
import { handler as organizationsInvitationsAccept } from './organizations/operations/organizations.invitations.accept.ts'
import { handler as organizationsInvitationsCreate } from './organizations/operations/organizations.invitations.create.ts'
import { handler as organizationsInvitationsList } from './organizations/operations/organizations.invitations.list.ts'
import { handler as organizationsInvitationsResend } from './organizations/operations/organizations.invitations.resend.ts'
import { handler as organizationsInvitationsRevoke } from './organizations/operations/organizations.invitations.revoke.ts'
import { handler as organizationsLeave } from './organizations/operations/organizations.leave.ts'
import { handler as organizationsMembersAdd } from './organizations/operations/organizations.members.add.ts'
import { handler as organizationsMembersList } from './organizations/operations/organizations.members.list.ts'
import { handler as organizationsMembersRemove } from './organizations/operations/organizations.members.remove.ts'
import { handler as organizationsMembersSetProjects } from './organizations/operations/organizations.members.set_projects.ts'
import { handler as organizationsMembersSetRole } from './organizations/operations/organizations.members.set_role.ts'
import { handler as organizationsMembersSetSpendLimit } from './organizations/operations/organizations.members.set_spend_limit.ts'
import { handler as organizationsMembersSpendGet } from './organizations/operations/organizations.members.spend.get.ts'
import { handler as organizationsProviderGet } from './organizations/operations/organizations.provider.get.ts'
import { handler as organizationsProviderRemove } from './organizations/operations/organizations.provider.remove.ts'
import { handler as organizationsProviderSet } from './organizations/operations/organizations.provider.set.ts'
import { handler as organizationsProviderTest } from './organizations/operations/organizations.provider.test.operation.ts'
import { handler as organizationsRestore } from './organizations/operations/organizations.restore.ts'
import { handler as organizationsScimTokensCreate } from './organizations/operations/organizations.scim_tokens.create.ts'
import { handler as organizationsScimTokensList } from './organizations/operations/organizations.scim_tokens.list.ts'
import { handler as organizationsScimTokensRevoke } from './organizations/operations/organizations.scim_tokens.revoke.ts'
import { handler as organizationsSecurityGet } from './organizations/operations/organizations.security.get.ts'
import { handler as organizationsSecurityUpdate } from './organizations/operations/organizations.security.update.ts'
import { handler as organizationsSupportAccessEnd } from './organizations/operations/organizations.support_access.end.ts'
import { handler as organizationsSupportAccessGrant } from './organizations/operations/organizations.support_access.grant.ts'
import { handler as organizationsSupportAccessList } from './organizations/operations/organizations.support_access.list.ts'
import { handler as organizationsSupportAccessRefuse } from './organizations/operations/organizations.support_access.refuse.ts'
import { handler as organizationsTokensList } from './organizations/operations/organizations.tokens.list.ts'
import { handler as organizationsTokensRevoke } from './organizations/operations/organizations.tokens.revoke.ts'
import { handler as organizationsTransferOwnership } from './organizations/operations/organizations.transfer_ownership.ts'
import { handler as organizationsUpdate } from './organizations/operations/organizations.update.ts'
import { handler as paymentMethodsAttach } from './payment_methods/operations/payment_methods.attach.ts'
import { handler as paymentMethodsCreateSetupIntent } from './payment_methods/operations/payment_methods.create_setup_intent.ts'
import { handler as paymentMethodsDetach } from './payment_methods/operations/payment_methods.detach.ts'
import { handler as paymentMethodsList } from './payment_methods/operations/payment_methods.list.ts'
import { handler as paymentMethodsSetDefault } from './payment_methods/operations/payment_methods.set_default.ts'
import { handler as processingCatalogEstimate } from './processing/operations/processing.catalog.estimate.ts'
import { handler as processingCatalogGet } from './processing/operations/processing.catalog.get.ts'
import { handler as processingCatalogList } from './processing/operations/processing.catalog.list.ts'
import { handler as processingCatalogValidate } from './processing/operations/processing.catalog.validate.ts'
import { handler as processingCreate } from './processing/operations/processing.create.ts'
import { handler as processingCreateAndDispatch } from './processing/operations/processing.create_and_dispatch.ts'
import { handler as processingDispatch } from './processing/operations/processing.dispatch.ts'
import { handler as processingExecute } from './processing/operations/processing.execute.ts'
import { handler as processingJobCancel } from './processing/operations/processing.job.cancel.ts'
import { handler as processingJobDelegate } from './processing/operations/processing.job.delegate.ts'
import { handler as processingJobDelete } from './processing/operations/processing.job.delete.ts'
import { handler as processingJobGet } from './processing/operations/processing.job.get.ts'
import { handler as processingJobLog } from './processing/operations/processing.job.log.ts'
import { handler as processingJobRegister } from './processing/operations/processing.job.register.ts'
import { handler as processingJobTileInfo } from './processing/operations/processing.job.tile_info.ts'
import { handler as processingJobTypesList } from './processing/operations/processing.job_types.list.ts'
import { handler as processingJobsList } from './processing/operations/processing.jobs.list.ts'
import { handler as processingJobsRetry } from './processing/operations/processing.jobs.retry.ts'
import { handler as processingProjectJobGet } from './processing/operations/processing.project_job.get.ts'
import { handler as processingProjectJobsList } from './processing/operations/processing.project_jobs.list.ts'
import { handler as projectsAddMember } from './projects/operations/projects.add_member.ts'
import { handler as projectsArchive } from './projects/operations/projects.archive.ts'
import { handler as projectsCreate } from './projects/operations/projects.create.ts'
import { handler as projectsDelete } from './projects/operations/projects.delete.ts'
import { handler as projectsGet } from './projects/operations/projects.get.ts'
import { handler as projectsList } from './projects/operations/projects.list.ts'
import { handler as projectsMembersList } from './projects/operations/projects.members.list.ts'
import { handler as projectsRemoveMember } from './projects/operations/projects.remove_member.ts'
import { handler as projectsUpdate } from './projects/operations/projects.update.ts'
import { handler as projectsUpdateMember } from './projects/operations/projects.update_member.ts'
import { handler as provenanceExport } from './provenance/operations/provenance.export.ts'
import { handler as provenanceGet } from './provenance/operations/provenance.get.ts'
import { handler as reportsCreate } from './reports/operations/reports.create.ts'
import { handler as reportsDelete } from './reports/operations/reports.delete.ts'
import { handler as reportsGenerate } from './reports/operations/reports.generate.ts'
import { handler as reportsGet } from './reports/operations/reports.get.ts'
import { handler as reportsList } from './reports/operations/reports.list.ts'
import { handler as reportsSchedulesCreate } from './reports/operations/reports.schedules.create.ts'
import { handler as reportsSchedulesDelete } from './reports/operations/reports.schedules.delete.ts'
import { handler as reportsSchedulesList } from './reports/operations/reports.schedules.list.ts'
import { handler as sandboxClockAdvance } from './sandbox/operations/sandbox.clock.advance.ts'
import { handler as sandboxClockGet } from './sandbox/operations/sandbox.clock.get.ts'
import { handler as sandboxReset } from './sandbox/operations/sandbox.reset.ts'
import { handler as sandboxScenarioRun } from './sandbox/operations/sandbox.scenario.run.ts'
import { handler as shareAssetDownload } from './share/operations/share.asset.download.ts'
import { handler as shareItemsList } from './share/operations/share.items.list.ts'
import { handler as shareLinkCreate } from './share/operations/share.link.create.ts'
import { handler as shareLinkGet } from './share/operations/share.link.get.ts'
import { handler as shareLinkList } from './share/operations/share.link.list.ts'
import { handler as shareLinkRevoke } from './share/operations/share.link.revoke.ts'
import { handler as shareLinkUpdate } from './share/operations/share.link.update.ts'
import { handler as shareLinkValidate } from './share/operations/share.link.validate.ts'
import { handler as shareSessionCreate } from './share/operations/share.session.create.ts'
import { handler as shareTileRender } from './share/operations/share.tile.render.ts'
import { handler as shareTilejson } from './share/operations/share.tilejson.ts'
import { handler as stacAggregate } from './stac/operations/stac.aggregate.ts'
import { handler as stacAggregations } from './stac/operations/stac.aggregations.ts'
import { handler as stacCollectionsDelete } from './stac/operations/stac.collections.delete.ts'
import { handler as stacCollectionsGet } from './stac/operations/stac.collections.get.ts'
import { handler as stacCollectionsList } from './stac/operations/stac.collections.list.ts'
import { handler as stacConformance } from './stac/operations/stac.conformance.ts'
import { handler as stacItemsCreate } from './stac/operations/stac.items.create.ts'
import { handler as stacItemsDelete } from './stac/operations/stac.items.delete.ts'
import { handler as stacItemsGet } from './stac/operations/stac.items.get.ts'
import { handler as stacItemsList } from './stac/operations/stac.items.list.ts'
import { handler as stacItemsReplace } from './stac/operations/stac.items.replace.ts'
import { handler as stacItemsSearch } from './stac/operations/stac.items.search.ts'
import { handler as stacItemsUpdate } from './stac/operations/stac.items.update.ts'
import { handler as stacLanding } from './stac/operations/stac.landing.ts'
import { handler as stacQueryables } from './stac/operations/stac.queryables.ts'
import { handler as stacSearch } from './stac/operations/stac.search.ts'
import { handler as uploadsCancel } from './uploads/operations/uploads.cancel.ts'
import { handler as uploadsComplete } from './uploads/operations/uploads.complete.ts'
import { handler as uploadsFail } from './uploads/operations/uploads.fail.ts'
import { handler as uploadsGet } from './uploads/operations/uploads.get.ts'
import { handler as uploadsInitiate } from './uploads/operations/uploads.initiate.ts'
import { handler as uploadsList } from './uploads/operations/uploads.list.ts'
import { handler as uploadsPartUrl } from './uploads/operations/uploads.part_url.ts'
import { handler as uploadsProgress } from './uploads/operations/uploads.progress.ts'
import { handler as uploadsSignedUrl } from './uploads/operations/uploads.signed_url.ts'
import { handler as usageByOperation } from './usage/operations/usage.by_operation.ts'
import { handler as usageCurrent } from './usage/operations/usage.current.ts'
import { handler as usageHistory } from './usage/operations/usage.history.ts'
import { handler as usageRecalculateStorage } from './usage/operations/usage.recalculate_storage.ts'
import { handler as usersConsentsList } from './users/operations/users.consents.list.ts'
import { handler as usersConsentsRevoke } from './users/operations/users.consents.revoke.ts'
import { handler as usersDelete } from './users/operations/users.delete.ts'
import { handler as usersEmailChange } from './users/operations/users.email.change.ts'
import { handler as usersExport } from './users/operations/users.export.ts'
import { handler as usersMe } from './users/operations/users.me.ts'
import { handler as usersOrganizationsList } from './users/operations/users.organizations.list.ts'
import { handler as usersPasskeysList } from './users/operations/users.passkeys.list.ts'
import { handler as usersPasskeysRegisterBegin } from './users/operations/users.passkeys.register_begin.ts'
import { handler as usersPasskeysRegisterFinish } from './users/operations/users.passkeys.register_finish.ts'
import { handler as usersPasskeysRemove } from './users/operations/users.passkeys.remove.ts'
import { handler as usersPasskeysRename } from './users/operations/users.passkeys.rename.ts'
import { handler as usersPasswordChange } from './users/operations/users.password.change.ts'
import { handler as usersRecoveryCodesRegenerate } from './users/operations/users.recovery_codes.regenerate.ts'
import { handler as usersSessionsEnd } from './users/operations/users.sessions.end.ts'
import { handler as usersSessionsList } from './users/operations/users.sessions.list.ts'
import { handler as usersTokensCreate } from './users/operations/users.tokens.create.ts'
import { handler as usersTokensList } from './users/operations/users.tokens.list.ts'
import { handler as usersTokensRevoke } from './users/operations/users.tokens.revoke.ts'
import { handler as usersTotpBegin } from './users/operations/users.totp.begin.ts'
import { handler as usersTotpConfirm } from './users/operations/users.totp.confirm.ts'
import { handler as usersTotpRemove } from './users/operations/users.totp.remove.ts'
import { handler as usersUpdate } from './users/operations/users.update.ts'
import { handler as visualizationListFor } from './visualization/operations/visualization.list_for.ts'
import { handler as visualizationProfileCreate } from './visualization/operations/visualization.profile.create.ts'
import { handler as visualizationProfileDelete } from './visualization/operations/visualization.profile.delete.ts'
import { handler as visualizationProfileGet } from './visualization/operations/visualization.profile.get.ts'
import { handler as visualizationProfileSetDefault } from './visualization/operations/visualization.profile.set_default.ts'
import { handler as visualizationProfileUpdate } from './visualization/operations/visualization.profile.update.ts'
import { handler as visualizationProfilesList } from './visualization/operations/visualization.profiles.list.ts'
import { handler as webhooksCreate } from './webhooks/operations/webhooks.create.ts'
import { handler as webhooksDelete } from './webhooks/operations/webhooks.delete.ts'
import { handler as webhooksDrain } from './webhooks/operations/webhooks.drain.ts'
import { handler as webhooksEventsList } from './webhooks/operations/webhooks.events.list.ts'
import { handler as webhooksGet } from './webhooks/operations/webhooks.get.ts'
import { handler as webhooksList } from './webhooks/operations/webhooks.list.ts'
import { handler as webhooksTest } from './webhooks/operations/webhooks.test.operation.ts'
import { handler as webhooksUpdate } from './webhooks/operations/webhooks.update.ts'

/** The handler of each operation, by operation id. */
export const operationHandlers: ReadonlyMap<string, OperationHandler> = new Map([
  ['admin.audit.list', adminAuditList],
  ['admin.commitments.amend', adminCommitmentsAmend],
  ['admin.commitments.close_period', adminCommitmentsClosePeriod],
  ['admin.commitments.create', adminCommitmentsCreate],
  ['admin.credit_adjustments.approve', adminCreditAdjustmentsApprove],
  ['admin.credit_adjustments.list', adminCreditAdjustmentsList],
  ['admin.credit_adjustments.reject', adminCreditAdjustmentsReject],
  ['admin.credit_adjustments.request', adminCreditAdjustmentsRequest],
  ['admin.data_products.list', adminDataProductsList],
  ['admin.data_products.versions.approve', adminDataProductsVersionsApprove],
  ['admin.data_products.versions.create', adminDataProductsVersionsCreate],
  ['admin.data_products.versions.list', adminDataProductsVersionsList],
  ['admin.data_products.versions.reject', adminDataProductsVersionsReject],
  ['admin.dead_letters.list', adminDeadLettersList],
  ['admin.dead_letters.retry', adminDeadLettersRetry],
  ['admin.feature_flags.list', adminFeatureFlagsList],
  ['admin.feature_flags.set', adminFeatureFlagsSet],
  ['admin.invoices.credit', adminInvoicesCredit],
  ['admin.invoices.mark_paid', adminInvoicesMarkPaid],
  ['admin.orgs.credit_adjust', adminOrgsCreditAdjust],
  ['admin.orgs.get', adminOrgsGet],
  ['admin.orgs.list', adminOrgsList],
  ['admin.orgs.resume', adminOrgsResume],
  ['admin.orgs.set_plan', adminOrgsSetPlan],
  ['admin.orgs.suspend', adminOrgsSuspend],
  ['admin.rate_cards.approve', adminRateCardsApprove],
  ['admin.rate_cards.create', adminRateCardsCreate],
  ['admin.rate_cards.list', adminRateCardsList],
  ['admin.rate_cards.reject', adminRateCardsReject],
  ['admin.role_changes.approve', adminRoleChangesApprove],
  ['admin.role_changes.list', adminRoleChangesList],
  ['admin.role_changes.reject', adminRoleChangesReject],
  ['admin.stuck_work.cancel', adminStuckWorkCancel],
  ['admin.stuck_work.list', adminStuckWorkList],
  ['admin.stuck_work.release', adminStuckWorkRelease],
  ['admin.stuck_work.retry', adminStuckWorkRetry],
  ['admin.support_access.end', adminSupportAccessEnd],
  ['admin.support_access.list', adminSupportAccessList],
  ['admin.support_access.request', adminSupportAccessRequest],
  ['admin.tasking.order_transition', adminTaskingOrderTransition],
  ['admin.tasking.quotation_upload', adminTaskingQuotationUpload],
  ['admin.tasking.study_upload', adminTaskingStudyUpload],
  ['admin.users.disable', adminUsersDisable],
  ['admin.users.enable', adminUsersEnable],
  ['admin.users.impersonate', adminUsersImpersonate],
  ['admin.users.list', adminUsersList],
  ['admin.users.reset_second_factor', adminUsersResetSecondFactor],
  ['admin.users.set_roles', adminUsersSetRoles],
  ['alerts.acknowledge_event', alertsAcknowledgeEvent],
  ['alerts.backtest_rule', alertsBacktestRule],
  ['alerts.create_rule', alertsCreateRule],
  ['alerts.delete_rule', alertsDeleteRule],
  ['alerts.events.list', alertsEventsList],
  ['alerts.rule.get', alertsRuleGet],
  ['alerts.rules.list', alertsRulesList],
  ['alerts.test_rule', alertsTestRule],
  ['alerts.update_rule', alertsUpdateRule],
  ['analytics.band_math', analyticsBandMath],
  ['analytics.calculate_index', analyticsCalculateIndex],
  ['analytics.execute', analyticsExecute],
  ['analytics.index.get', analyticsIndexGet],
  ['analytics.indices.list', analyticsIndicesList],
  ['analytics.operations.get', analyticsOperationsGet],
  ['analytics.operations.list', analyticsOperationsList],
  ['analytics.sensors.list', analyticsSensorsList],
  ['analytics.validate_formula', analyticsValidateFormula],
  ['api_keys.create', apiKeysCreate],
  ['api_keys.list', apiKeysList],
  ['api_keys.revoke', apiKeysRevoke],
  ['assets.create', assetsCreate],
  ['assets.delete', assetsDelete],
  ['assets.get', assetsGet],
  ['assets.verify', assetsVerify],
  ['band_formulas.create', bandFormulasCreate],
  ['band_formulas.delete', bandFormulasDelete],
  ['band_formulas.get', bandFormulasGet],
  ['band_formulas.list', bandFormulasList],
  ['band_formulas.update', bandFormulasUpdate],
  ['billing.approvals.approve', billingApprovalsApprove],
  ['billing.approvals.get', billingApprovalsGet],
  ['billing.approvals.list', billingApprovalsList],
  ['billing.approvals.reject', billingApprovalsReject],
  ['billing.approvals.request', billingApprovalsRequest],
  ['billing.auto_topup.get', billingAutoTopupGet],
  ['billing.budgets.get', billingBudgetsGet],
  ['billing.budgets.list', billingBudgetsList],
  ['billing.budgets.settings', billingBudgetsSettings],
  ['billing.budgets.usage', billingBudgetsUsage],
  ['billing.charge.explain', billingChargeExplain],
  ['billing.cleanup_deleted_orgs', billingCleanupDeletedOrgs],
  ['billing.credits.balance', billingCreditsBalance],
  ['billing.credits.transactions', billingCreditsTransactions],
  ['billing.deletions.pending', billingDeletionsPending],
  ['billing.dlq.list_pending', billingDlqListPending],
  ['billing.dlq.replay', billingDlqReplay],
  ['billing.enterprise.accrual', billingEnterpriseAccrual],
  ['billing.enterprise.mark_invoiced', billingEnterpriseMarkInvoiced],
  ['billing.forecast', billingForecast],
  ['billing.free_tier.approve', billingFreeTierApprove],
  ['billing.free_tier.grant_all', billingFreeTierGrantAll],
  ['billing.free_tier.list_pending', billingFreeTierListPending],
  ['billing.free_tier.revoke', billingFreeTierRevoke],
  ['billing.invoices.download', billingInvoicesDownload],
  ['billing.invoices.get', billingInvoicesGet],
  ['billing.invoices.list', billingInvoicesList],
  ['billing.jobs.settle_unsettled', billingJobsSettleUnsettled],
  ['billing.ledger.export', billingLedgerExport],
  ['billing.ledger.verify', billingLedgerVerify],
  ['billing.lots.list', billingLotsList],
  ['billing.plans.list', billingPlansList],
  ['billing.reconciliation.backfill_missing', billingReconciliationBackfillMissing],
  ['billing.reconciliation.correct_drift', billingReconciliationCorrectDrift],
  ['billing.reconciliation.detect_drift', billingReconciliationDetectDrift],
  ['billing.reconciliation.list_corrections', billingReconciliationListCorrections],
  ['billing.reconciliation.list_runs', billingReconciliationListRuns],
  ['billing.reconciliation.remove_stale', billingReconciliationRemoveStale],
  ['billing.reconciliation.run', billingReconciliationRun],
  ['billing.reconciliation.run_all', billingReconciliationRunAll],
  ['billing.reconciliation.zero_negative_nets', billingReconciliationZeroNegativeNets],
  ['billing.refunds.request', billingRefundsRequest],
  ['billing.run_monthly_cron', billingRunMonthlyCron],
  ['billing.run_monthly_for_org', billingRunMonthlyForOrg],
  ['billing.set_auto_topup', billingSetAutoTopup],
  ['billing.set_daily_topup_limit', billingSetDailyTopupLimit],
  ['billing.status.get', billingStatusGet],
  ['billing.stripe_invoices.list', billingStripeInvoicesList],
  ['billing.topup', billingTopup],
  ['catalog.aoi_score', catalogAoiScore],
  ['catalog.compare_prices', catalogComparePrices],
  ['catalog.federated_search', catalogFederatedSearch],
  ['catalog.granule_points', catalogGranulePoints],
  ['catalog.image.quicklook', catalogImageQuicklook],
  ['catalog.image.thumbnail', catalogImageThumbnail],
  ['catalog.info.landsat', catalogInfoLandsat],
  ['catalog.info.naip', catalogInfoNaip],
  ['catalog.info.sample', catalogInfoSample],
  ['catalog.info.sentinel', catalogInfoSentinel],
  ['catalog.places.search', catalogPlacesSearch],
  ['catalog.provider.samples', catalogProviderSamples],
  ['catalog.providers.list', catalogProvidersList],
  ['catalog.search', catalogSearch],
  ['catalog.search.delete', catalogSearchDelete],
  ['catalog.search.list', catalogSearchList],
  ['catalog.search.save', catalogSearchSave],
  ['catalog.search_stream', catalogSearchStream],
  ['catalog.sources.list', catalogSourcesList],
  ['catalog.stac.collections.get', catalogStacCollectionsGet],
  ['catalog.stac.collections.list', catalogStacCollectionsList],
  ['catalog.stac.landing', catalogStacLanding],
  ['catalog.stac.search', catalogStacSearch],
  ['catalog.tile.render', catalogTileRender],
  ['catalog.vendors.list', catalogVendorsList],
  ['catalog.viz.landsat', catalogVizLandsat],
  ['catalog.viz.naip', catalogVizNaip],
  ['clip.area.metadata', clipAreaMetadata],
  ['clip.area.mosaics', clipAreaMosaics],
  ['clip.areas.list', clipAreasList],
  ['clip.create_from_area', clipCreateFromArea],
  ['clip.create_from_item', clipCreateFromItem],
  ['clip.job.delete', clipJobDelete],
  ['clip.job.download', clipJobDownload],
  ['clip.job.downloads', clipJobDownloads],
  ['clip.job.get', clipJobGet],
  ['clip.job.tile_info', clipJobTileInfo],
  ['clip.jobs.list', clipJobsList],
  ['cog.colormaps', cogColormaps],
  ['cog.formulas', cogFormulas],
  ['cog.statistics', cogStatistics],
  ['cog.thumbnail', cogThumbnail],
  ['cog.tile.render', cogTileRender],
  ['cog.tile.terrain', cogTileTerrain],
  ['collections.create', collectionsCreate],
  ['collections.delete', collectionsDelete],
  ['collections.get', collectionsGet],
  ['collections.list', collectionsList],
  ['collections.restore', collectionsRestore],
  ['collections.update', collectionsUpdate],
  ['eulas.acceptances.list', eulasAcceptancesList],
  ['eulas.document.accept', eulasDocumentAccept],
  ['eulas.document.get', eulasDocumentGet],
  ['eulas.documents.list', eulasDocumentsList],
  ['eulas.get', eulasGet],
  ['eulas.list', eulasList],
  ['event_subscriptions.create', eventSubscriptionsCreate],
  ['event_subscriptions.create_many', eventSubscriptionsCreateMany],
  ['event_subscriptions.delete', eventSubscriptionsDelete],
  ['event_subscriptions.deliveries.get', eventSubscriptionsDeliveriesGet],
  ['event_subscriptions.deliveries.list', eventSubscriptionsDeliveriesList],
  ['event_subscriptions.deliveries.redeliver', eventSubscriptionsDeliveriesRedeliver],
  ['event_subscriptions.deliveries.replay_window', eventSubscriptionsDeliveriesReplayWindow],
  ['event_subscriptions.get', eventSubscriptionsGet],
  ['event_subscriptions.list', eventSubscriptionsList],
  ['event_subscriptions.rotate_secret', eventSubscriptionsRotateSecret],
  ['event_subscriptions.test', eventSubscriptionsTest],
  ['event_subscriptions.update', eventSubscriptionsUpdate],
  ['event_types.list', eventTypesList],
  ['events.list', eventsList],
  ['events.stream', eventsStream],
  ['glossary.collections.get', glossaryCollectionsGet],
  ['glossary.collections.list', glossaryCollectionsList],
  ['glossary.data_products.get', glossaryDataProductsGet],
  ['glossary.data_products.list', glossaryDataProductsList],
  ['glossary.providers.get', glossaryProvidersGet],
  ['glossary.providers.list', glossaryProvidersList],
  ['items.asset.download', itemsAssetDownload],
  ['items.batch_create', itemsBatchCreate],
  ['items.batch_delete', itemsBatchDelete],
  ['items.bundles.download', itemsBundlesDownload],
  ['items.bundles.get', itemsBundlesGet],
  ['items.bundles.list', itemsBundlesList],
  ['items.bundles.update', itemsBundlesUpdate],
  ['items.create', itemsCreate],
  ['items.delete', itemsDelete],
  ['items.detect_asset_bands', itemsDetectAssetBands],
  ['items.download', itemsDownload],
  ['items.duplicate', itemsDuplicate],
  ['items.expire_batch', itemsExpireBatch],
  ['items.features.list', itemsFeaturesList],
  ['items.get', itemsGet],
  ['items.get_stac', itemsGetStac],
  ['items.lineage', itemsLineage],
  ['items.list', itemsList],
  ['items.list_assets', itemsListAssets],
  ['items.list_by_collection', itemsListByCollection],
  ['items.list_expiring', itemsListExpiring],
  ['items.restore', itemsRestore],
  ['items.search', itemsSearch],
  ['items.search_org', itemsSearchOrg],
  ['items.set_asset_band_names', itemsSetAssetBandNames],
  ['items.tile.histogram', itemsTileHistogram],
  ['items.tile.line', itemsTileLine],
  ['items.tile.point', itemsTilePoint],
  ['items.tile.preview', itemsTilePreview],
  ['items.tile.render', itemsTileRender],
  ['items.tile.statistics', itemsTileStatistics],
  ['items.tile.tilejson', itemsTileTilejson],
  ['items.tile.token.create', itemsTileTokenCreate],
  ['items.tile.token.list', itemsTileTokenList],
  ['items.tile.token.revoke', itemsTileTokenRevoke],
  ['items.tile.vector', itemsTileVector],
  ['items.tile.wmts_capabilities', itemsTileWmtsCapabilities],
  ['items.tile.wmts_get_tile', itemsTileWmtsGetTile],
  ['items.update', itemsUpdate],
  ['notifications.dismiss', notificationsDismiss],
  ['notifications.list', notificationsList],
  ['notifications.mark_all_read', notificationsMarkAllRead],
  ['notifications.mark_read', notificationsMarkRead],
  ['notifications.preferences.get', notificationsPreferencesGet],
  ['notifications.preferences.set', notificationsPreferencesSet],
  ['notifications.unread_count', notificationsUnreadCount],
  ['oauth_clients.create', oauthClientsCreate],
  ['oauth_clients.delete', oauthClientsDelete],
  ['oauth_clients.get', oauthClientsGet],
  ['oauth_clients.list', oauthClientsList],
  ['oauth_clients.rotate_secret', oauthClientsRotateSecret],
  ['oauth_clients.update', oauthClientsUpdate],
  ['orders.archive.estimate', ordersArchiveEstimate],
  ['orders.archive.place', ordersArchivePlace],
  ['orders.cancel', ordersCancel],
  ['orders.coverage.get', ordersCoverageGet],
  ['orders.coverage.groups.list', ordersCoverageGroupsList],
  ['orders.download', ordersDownload],
  ['orders.estimate', ordersEstimate],
  ['orders.get', ordersGet],
  ['orders.get_schema', ordersGetSchema],
  ['orders.list', ordersList],
  ['orders.list_assets', ordersListAssets],
  ['orders.place', ordersPlace],
  ['orders.quote', ordersQuote],
  ['orders.reorder', ordersReorder],
  ['orders.standing.create', ordersStandingCreate],
  ['orders.standing.decide', ordersStandingDecide],
  ['orders.standing.delete', ordersStandingDelete],
  ['orders.standing.list', ordersStandingList],
  ['orders.standing.scenes.list', ordersStandingScenesList],
  ['orders.standing.update', ordersStandingUpdate],
  ['orders.tasking.decisions.pending', ordersTaskingDecisionsPending],
  ['orders.tasking.estimate', ordersTaskingEstimate],
  ['orders.tasking.feasibility_check', ordersTaskingFeasibilityCheck],
  ['orders.tasking.feasibility_decide', ordersTaskingFeasibilityDecide],
  ['orders.tasking.feasibility_studies.list', ordersTaskingFeasibilityStudiesList],
  ['orders.tasking.groups.list', ordersTaskingGroupsList],
  ['orders.tasking.opportunities_list', ordersTaskingOpportunitiesList],
  ['orders.tasking.place', ordersTaskingPlace],
  ['orders.tasking.quotation_decide', ordersTaskingQuotationDecide],
  ['orders.tasking.quotations.list', ordersTaskingQuotationsList],
  ['orders.tasking.sensors', ordersTaskingSensors],
  ['orders.tasking.templates.delete', ordersTaskingTemplatesDelete],
  ['orders.tasking.templates.get', ordersTaskingTemplatesGet],
  ['orders.tasking.templates.list', ordersTaskingTemplatesList],
  ['orders.tasking.templates.save', ordersTaskingTemplatesSave],
  ['orders.timeline', ordersTimeline],
  ['orders.update', ordersUpdate],
  ['organizations.audit.export', organizationsAuditExport],
  ['organizations.audit.list', organizationsAuditList],
  ['organizations.audit.verify', organizationsAuditVerify],
  ['organizations.commitments.list', organizationsCommitmentsList],
  ['organizations.commitments.statement', organizationsCommitmentsStatement],
  ['organizations.create', organizationsCreate],
  ['organizations.delegations.list', organizationsDelegationsList],
  ['organizations.delegations.take_over', organizationsDelegationsTakeOver],
  ['organizations.delete', organizationsDelete],
  ['organizations.domains.add', organizationsDomainsAdd],
  ['organizations.domains.list', organizationsDomainsList],
  ['organizations.domains.remove', organizationsDomainsRemove],
  ['organizations.domains.verify', organizationsDomainsVerify],
  ['organizations.get', organizationsGet],
  ['organizations.invitations.accept', organizationsInvitationsAccept],
  ['organizations.invitations.create', organizationsInvitationsCreate],
  ['organizations.invitations.list', organizationsInvitationsList],
  ['organizations.invitations.resend', organizationsInvitationsResend],
  ['organizations.invitations.revoke', organizationsInvitationsRevoke],
  ['organizations.leave', organizationsLeave],
  ['organizations.members.add', organizationsMembersAdd],
  ['organizations.members.list', organizationsMembersList],
  ['organizations.members.remove', organizationsMembersRemove],
  ['organizations.members.set_projects', organizationsMembersSetProjects],
  ['organizations.members.set_role', organizationsMembersSetRole],
  ['organizations.members.set_spend_limit', organizationsMembersSetSpendLimit],
  ['organizations.members.spend.get', organizationsMembersSpendGet],
  ['organizations.provider.get', organizationsProviderGet],
  ['organizations.provider.remove', organizationsProviderRemove],
  ['organizations.provider.set', organizationsProviderSet],
  ['organizations.provider.test', organizationsProviderTest],
  ['organizations.restore', organizationsRestore],
  ['organizations.scim_tokens.create', organizationsScimTokensCreate],
  ['organizations.scim_tokens.list', organizationsScimTokensList],
  ['organizations.scim_tokens.revoke', organizationsScimTokensRevoke],
  ['organizations.security.get', organizationsSecurityGet],
  ['organizations.security.update', organizationsSecurityUpdate],
  ['organizations.support_access.end', organizationsSupportAccessEnd],
  ['organizations.support_access.grant', organizationsSupportAccessGrant],
  ['organizations.support_access.list', organizationsSupportAccessList],
  ['organizations.support_access.refuse', organizationsSupportAccessRefuse],
  ['organizations.tokens.list', organizationsTokensList],
  ['organizations.tokens.revoke', organizationsTokensRevoke],
  ['organizations.transfer_ownership', organizationsTransferOwnership],
  ['organizations.update', organizationsUpdate],
  ['payment_methods.attach', paymentMethodsAttach],
  ['payment_methods.create_setup_intent', paymentMethodsCreateSetupIntent],
  ['payment_methods.detach', paymentMethodsDetach],
  ['payment_methods.list', paymentMethodsList],
  ['payment_methods.set_default', paymentMethodsSetDefault],
  ['processing.catalog.estimate', processingCatalogEstimate],
  ['processing.catalog.get', processingCatalogGet],
  ['processing.catalog.list', processingCatalogList],
  ['processing.catalog.validate', processingCatalogValidate],
  ['processing.create', processingCreate],
  ['processing.create_and_dispatch', processingCreateAndDispatch],
  ['processing.dispatch', processingDispatch],
  ['processing.execute', processingExecute],
  ['processing.job.cancel', processingJobCancel],
  ['processing.job.delegate', processingJobDelegate],
  ['processing.job.delete', processingJobDelete],
  ['processing.job.get', processingJobGet],
  ['processing.job.log', processingJobLog],
  ['processing.job.register', processingJobRegister],
  ['processing.job.tile_info', processingJobTileInfo],
  ['processing.job_types.list', processingJobTypesList],
  ['processing.jobs.list', processingJobsList],
  ['processing.jobs.retry', processingJobsRetry],
  ['processing.project_job.get', processingProjectJobGet],
  ['processing.project_jobs.list', processingProjectJobsList],
  ['projects.add_member', projectsAddMember],
  ['projects.archive', projectsArchive],
  ['projects.create', projectsCreate],
  ['projects.delete', projectsDelete],
  ['projects.get', projectsGet],
  ['projects.list', projectsList],
  ['projects.members.list', projectsMembersList],
  ['projects.remove_member', projectsRemoveMember],
  ['projects.update', projectsUpdate],
  ['projects.update_member', projectsUpdateMember],
  ['provenance.export', provenanceExport],
  ['provenance.get', provenanceGet],
  ['reports.create', reportsCreate],
  ['reports.delete', reportsDelete],
  ['reports.generate', reportsGenerate],
  ['reports.get', reportsGet],
  ['reports.list', reportsList],
  ['reports.schedules.create', reportsSchedulesCreate],
  ['reports.schedules.delete', reportsSchedulesDelete],
  ['reports.schedules.list', reportsSchedulesList],
  ['sandbox.clock.advance', sandboxClockAdvance],
  ['sandbox.clock.get', sandboxClockGet],
  ['sandbox.reset', sandboxReset],
  ['sandbox.scenario.run', sandboxScenarioRun],
  ['share.asset.download', shareAssetDownload],
  ['share.items.list', shareItemsList],
  ['share.link.create', shareLinkCreate],
  ['share.link.get', shareLinkGet],
  ['share.link.list', shareLinkList],
  ['share.link.revoke', shareLinkRevoke],
  ['share.link.update', shareLinkUpdate],
  ['share.link.validate', shareLinkValidate],
  ['share.session.create', shareSessionCreate],
  ['share.tile.render', shareTileRender],
  ['share.tilejson', shareTilejson],
  ['stac.aggregate', stacAggregate],
  ['stac.aggregations', stacAggregations],
  ['stac.collections.delete', stacCollectionsDelete],
  ['stac.collections.get', stacCollectionsGet],
  ['stac.collections.list', stacCollectionsList],
  ['stac.conformance', stacConformance],
  ['stac.items.create', stacItemsCreate],
  ['stac.items.delete', stacItemsDelete],
  ['stac.items.get', stacItemsGet],
  ['stac.items.list', stacItemsList],
  ['stac.items.replace', stacItemsReplace],
  ['stac.items.search', stacItemsSearch],
  ['stac.items.update', stacItemsUpdate],
  ['stac.landing', stacLanding],
  ['stac.queryables', stacQueryables],
  ['stac.search', stacSearch],
  ['uploads.cancel', uploadsCancel],
  ['uploads.complete', uploadsComplete],
  ['uploads.fail', uploadsFail],
  ['uploads.get', uploadsGet],
  ['uploads.initiate', uploadsInitiate],
  ['uploads.list', uploadsList],
  ['uploads.part_url', uploadsPartUrl],
  ['uploads.progress', uploadsProgress],
  ['uploads.signed_url', uploadsSignedUrl],
  ['usage.by_operation', usageByOperation],
  ['usage.current', usageCurrent],
  ['usage.history', usageHistory],
  ['usage.recalculate_storage', usageRecalculateStorage],
  ['users.consents.list', usersConsentsList],
  ['users.consents.revoke', usersConsentsRevoke],
  ['users.delete', usersDelete],
  ['users.email.change', usersEmailChange],
  ['users.export', usersExport],
  ['users.me', usersMe],
  ['users.organizations.list', usersOrganizationsList],
  ['users.passkeys.list', usersPasskeysList],
  ['users.passkeys.register_begin', usersPasskeysRegisterBegin],
  ['users.passkeys.register_finish', usersPasskeysRegisterFinish],
  ['users.passkeys.remove', usersPasskeysRemove],
  ['users.passkeys.rename', usersPasskeysRename],
  ['users.password.change', usersPasswordChange],
  ['users.recovery_codes.regenerate', usersRecoveryCodesRegenerate],
  ['users.sessions.end', usersSessionsEnd],
  ['users.sessions.list', usersSessionsList],
  ['users.tokens.create', usersTokensCreate],
  ['users.tokens.list', usersTokensList],
  ['users.tokens.revoke', usersTokensRevoke],
  ['users.totp.begin', usersTotpBegin],
  ['users.totp.confirm', usersTotpConfirm],
  ['users.totp.remove', usersTotpRemove],
  ['users.update', usersUpdate],
  ['visualization.list_for', visualizationListFor],
  ['visualization.profile.create', visualizationProfileCreate],
  ['visualization.profile.delete', visualizationProfileDelete],
  ['visualization.profile.get', visualizationProfileGet],
  ['visualization.profile.set_default', visualizationProfileSetDefault],
  ['visualization.profile.update', visualizationProfileUpdate],
  ['visualization.profiles.list', visualizationProfilesList],
  ['webhooks.create', webhooksCreate],
  ['webhooks.delete', webhooksDelete],
  ['webhooks.drain', webhooksDrain],
  ['webhooks.events.list', webhooksEventsList],
  ['webhooks.get', webhooksGet],
  ['webhooks.list', webhooksList],
  ['webhooks.test', webhooksTest],
  ['webhooks.update', webhooksUpdate],
])
