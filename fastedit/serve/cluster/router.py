"""Ray Serve's choice of a replica, by what the replicas hold."""

from __future__ import annotations

from ray.serve.request_router import PendingRequest, RequestRouter, RunningReplica

from fastedit.serve.cluster.affinity import key_of, ranks


class NearestRouter(RequestRouter):  # type: ignore[misc]
    """Sends edits of one file to one replica, and on to the next in its order where that has no room."""

    # Longer than by default: a replica in the midst of a pass answers late, and losing its keys and values costs more.
    queue_len_response_deadline_s = 0.5

    async def choose_replicas(
        self, candidate_replicas: list[RunningReplica], pending_request: PendingRequest | None = None
    ) -> list[list[RunningReplica]]:
        if pending_request is None or not pending_request.args:
            return [candidate_replicas]
        pending_request.routing_context.should_backoff = (
            True  # all have been tried: wait before the next round
        )
        names = [replica.replica_id.unique_id for replica in candidate_replicas]
        return list(ranks(key_of(pending_request.args[0]), candidate_replicas, names))
