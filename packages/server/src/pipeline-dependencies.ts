import { dueWorkOfModules } from './domains/domains.ts'
import { operationHandlers } from './domains/handlers.ts'
import { createCallAuditStarter } from './domains/audit-trail/audit-trail.ts'
import type { IdentityService } from './domains/identity/identity.ts'
import { requireOrganizationPermission } from './domains/projects/permissions.ts'
import { CallContext } from './engine/call-context.ts'
import { createRateLimitEnforcer } from './engine/pipeline/call-limits.ts'
import { limitHandlerConcurrency } from './engine/concurrency-limits.ts'
import type { CallPipelineDependencies, UndeclaredProblemListener } from './engine/pipeline/state.ts'
import { createSandboxWorkRunner } from './engine/sandbox-runner.ts'
import { isSandboxId } from './platform/ids.ts'
import type { TaskQueue } from './platform/queue/queue.ts'
import { readPlanRateLimits } from './platform/rate-limits/plan-rate-limits.ts'
import { refreshSandboxTime } from './platform/sandbox/sandbox-times.ts'
import { noTracing } from './platform/tracing/tracing.ts'
import type { Services } from './services.ts'

/** Connects the pipeline to handlers, identity and services. */
export function createCallPipelineDependencies(
  services: Services,
  queue: TaskQueue,
  identity: IdentityService,
  onUndeclaredProblem: UndeclaredProblemListener | undefined,
): CallPipelineDependencies {
  const { database, clock } = services
  const shared = {
    ...services,
    queue,
    sandboxRunner: createSandboxWorkRunner({
      dependencies: { ...services, blobs: services.background },
      queue,
      dueWork: dueWorkOfModules,
    }),
  }
  const limitedHandlers = limitHandlerConcurrency(operationHandlers, services.config)
  return {
    ...(onUndeclaredProblem ? { onUndeclaredProblem } : {}),
    ...(services.tracing === noTracing ? {} : { tracing: services.tracing }),
    countCall: services.callMeter.count,
    startAudit: createCallAuditStarter(services),
    find: (id) => limitedHandlers.get(id) ?? null,
    authenticate: async (credentials, operation) => {
      const principal = await identity.authenticate(credentials, operation)
      const { organization } = principal
      if (organization === null || !isSandboxId(organization)) return principal
      // Another process may have advanced the clock of the sandbox: its tokens end by the time that the database has.
      await refreshSandboxTime({ unscoped: database.unscoped, clock }, organization)
      return identity.authenticate(credentials, operation)
    },
    enforceRateLimits: createRateLimitEnforcer(services.rateLimiter, readPlanRateLimits(services.config)),
    connectTo: (organization) => database.forOrganization(organization),
    requirePermission: requireOrganizationPermission,
    createCall: (request, principal, operation, records) =>
      new CallContext(shared, request, principal, operation.id, records),
  }
}
