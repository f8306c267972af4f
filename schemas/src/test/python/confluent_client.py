"""What a user of Confluent's Python client does with Muster: asks for a job, reads where it stands.

    confluent_client.py submit --bootstrap HOST:PORT --registry URL --namespace NS --name NAME [--command …]
    confluent_client.py status --bootstrap HOST:PORT --registry URL --namespace NS --name NAME [--phase PHASE …]

Each prints one line of JSON. Nothing but confluent-kafka[avro] and the contract's .avsc files is used: the client's
own serializers, its default partitioner and its default settings.
"""

import argparse
import datetime
import json
import os
import pathlib
import sys
import time
import uuid

from confluent_kafka import Consumer, Producer, TopicPartition
from confluent_kafka.schema_registry import SchemaRegistryClient
from confluent_kafka.schema_registry.avro import AvroDeserializer, AvroSerializer
from confluent_kafka.serialization import MessageField, SerializationContext

REQUESTS = "muster.job-requests"
STATUS = "muster.job-status"
SCHEMAS = pathlib.Path(__file__).resolve().parents[2] / "main" / "schemas-history"


def main():
    options = arguments()
    registry = SchemaRegistryClient({"url": options.registry})
    result = submit(options, registry) if options.action == "submit" else status(options, registry)
    print(json.dumps(result, default=str))


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("action", choices=["submit", "status"])
    parser.add_argument("--bootstrap", required=True)
    parser.add_argument("--registry", required=True)
    parser.add_argument("--namespace", required=True)
    parser.add_argument("--name", required=True)
    parser.add_argument("--phase", action="append", default=[], help="status: wait for one of these")
    parser.add_argument("--timeout", type=float, default=60, help="seconds")
    parser.add_argument("--command", nargs=argparse.REMAINDER, default=["python3", "-c", "print('hello')"])
    return parser.parse_args()


def submit(options, registry):
    """Produces a request for a job of one pod; fields that have a default are left out."""
    template = {"spec": {"containers": [{"name": "main", "image": "none", "command": options.command}]}}
    request = {
        "envelope": {
            "id": str(uuid.uuid4()),
            "at": datetime.datetime.now(datetime.timezone.utc),
            "actor": "python",
            "requestId": str(uuid.uuid4()),
        },
        "kind": "SUBMIT",
        "namespace": options.namespace,
        "name": options.name,
        "submit": {"roles": [{"name": "worker", "template": json.dumps(template)}]},
    }
    serialize = AvroSerializer(registry, newest("JobRequest"))
    key = f"{options.namespace}/{options.name}"
    answers = []

    producer = Producer({"bootstrap.servers": options.bootstrap})
    producer.produce(
        REQUESTS,
        key=key.encode(),
        value=serialize(request, SerializationContext(REQUESTS, MessageField.VALUE)),
        on_delivery=lambda error, message: answers.append((error, message)),
    )
    producer.flush(options.timeout)
    if not answers or answers[0][0] is not None:
        sys.exit(f"the request was not taken: {answers[0][0] if answers else 'no answer'}")
    message = answers[0][1]
    return {
        "partition": message.partition(),
        "offset": message.offset(),
        "requestId": request["envelope"]["requestId"],
    }


def newest(record):
    files = sorted((SCHEMAS / record).glob("v*.avsc"), key=lambda file: int(file.stem[1:]))
    return files[-1].read_text(encoding="utf-8")


def status(options, registry):
    """Reads the topic from its beginning until the job's status is there, in one of the phases if any were named."""
    deserialize = AvroDeserializer(registry)
    consumer = Consumer(
        {"bootstrap.servers": options.bootstrap, "group.id": f"python-{os.getpid()}", "enable.auto.commit": False}
    )
    partitions = consumer.list_topics(STATUS, timeout=options.timeout).topics[STATUS].partitions
    consumer.assign([TopicPartition(STATUS, partition, 0) for partition in partitions])
    deadline = time.monotonic() + options.timeout
    last = None
    try:
        while time.monotonic() < deadline:
            message = consumer.poll(0.2)
            if message is None or message.error() or message.value() is None:
                continue
            if message.key().decode().split("@")[0] != f"{options.namespace}/{options.name}":
                continue
            last = deserialize(message.value(), SerializationContext(STATUS, MessageField.VALUE))
            if not options.phase or last["phase"] in options.phase:
                return last
    finally:
        consumer.close()
    sys.exit(f"no such status within {options.timeout} s; the last one: {json.dumps(last, default=str)}")


if __name__ == "__main__":
    main()
