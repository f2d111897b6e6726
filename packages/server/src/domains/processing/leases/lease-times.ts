/** A worker of the server that did not renew its lease for this long is taken to be dead. */
export const job_lease_ms = 60_000
export const lease_renewal_interval_ms = 10_000
/** The interval at which a worker checks whether its job was cancelled. */
export const cancellation_check_interval_ms = 1000
/**
 * Processes of the server that ended with a job may have been ended by it. The attempts after the first one work in a process of
 * their own, so that only that process ends with the job: more than these are no chance, whatever it is that ends them.
 */
export const max_lost_job_attempts = 10
/** A dispatched job that no worker has taken after this has lost its task. */
export const stalled_job_ms = 10 * 60_000
/** A file that began to arrive before the lease and the upload URLs of a worker ended is complete after this. */
export const late_upload_grace_ms = 2 * job_lease_ms
