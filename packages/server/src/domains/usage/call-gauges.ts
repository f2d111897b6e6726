import type { GaugeSource } from '../../platform/metrics.ts'
import type { CallMeter } from './call-meter.ts'

/** Gauge of the counted calls that a kill of this process would lose. */
export const createCallGauges = (callMeter: Pick<CallMeter, 'readUnwritten'>): GaugeSource => ({
  gauges: { swath_usage_unwritten_calls: 'Counted calls that are not in the database yet.' },
  labels: [],
  read: async () => ({ swath_usage_unwritten_calls: [{ labels: {}, value: callMeter.readUnwritten() }] }),
})
