import { createCallMeter, type CallMeter } from './call-meter.ts'
import { createEgressMeter, type EgressMeter } from './egress-meter.ts'

/** The meters that count usage in the memory of a process and write it from time to time. */
export interface UsageMeters {
  readonly meter: EgressMeter
  readonly callMeter: CallMeter
}

export const createUsageMeters = (dependencies: Parameters<typeof createCallMeter>[0]): UsageMeters => ({
  meter: createEgressMeter(dependencies),
  callMeter: createCallMeter(dependencies),
})
